/**
 * Has what is asked for in one turn of the event loop found together: where a statement is a way to another process and
 * back, that costs hardly more than what is asked for first. It is asked of the database after whoever asks, so that
 * nobody is told anything older than their question.
 */
export function together<Found>(
  find: (keys: readonly string[]) => Promise<ReadonlyMap<string, Found>>,
): (key: string) => Promise<Found | null> {
  let next: { readonly keys: Set<string>; readonly found: Promise<ReadonlyMap<string, Found>> } | null = null;

  function begin(first: string) {
    const keys = new Set([first]);
    const found = new Promise<void>((turn) => setImmediate(turn)).then(() => {
      next = null;
      return find([...keys]);
    });
    return { keys, found };
  }

  return async (key) => {
    next ??= begin(key);
    next.keys.add(key);
    return (await next.found).get(key) ?? null;
  };
}
