/**
 * Does the work for each item until the signal fires, one at a time of those of one turn, and gives the items that were
 * not begun. Those that have to take turns go first: begun late, they would be all that is left, each waiting for the other.
 */
export async function inParallel<T>(
  items: readonly T[],
  jobs: number,
  signal: AbortSignal,
  turnOf: (item: T) => string | undefined,
  work: (item: T) => Promise<void>,
): Promise<readonly T[]> {
  const queue = [
    ...items.filter((item) => turnOf(item) !== undefined),
    ...items.filter((item) => turnOf(item) === undefined),
  ];
  const taken = new Set<string | undefined>();
  const isFree = (item: T): boolean => !taken.has(turnOf(item));
  const worker = async (): Promise<void> => {
    while (!signal.aborted) {
      // What is left for those who have their turn is theirs to do.
      const next = queue.findIndex(isFree);
      const [item] = next === -1 ? [] : queue.splice(next, 1);
      if (item === undefined) return;
      const turn = turnOf(item);
      if (turn !== undefined) taken.add(turn);
      await work(item);
      taken.delete(turn);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, jobs) }, worker));
  return queue;
}
