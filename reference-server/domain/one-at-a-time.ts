/** Runs work under a name when all earlier work under that name is over, however it ended. */
export type OneAtATime = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;

export function oneAtATime(): OneAtATime {
  const last = new Map<string, Promise<void>>();
  return (name, work) => {
    const result = (last.get(name) ?? Promise.resolve()).then(work);
    const over = result.then(
      () => undefined,
      () => undefined,
    );
    last.set(name, over);
    void over.then(() => {
      if (last.get(name) === over) last.delete(name);
    });
    return result;
  };
}
