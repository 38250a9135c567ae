/** A pack with one more choice in it, in the order in which they apply; null where they cannot stand together. */
export type Join<T> = (pack: readonly T[], choice: T) => readonly T[] | null;

/**
 * Puts choices into few packs such that each two that touch the same are in one together, unless they cannot stand
 * together; who meets nobody is in none. Greedy and deterministic: a pack begins with the choice that has most to be seen
 * with, and takes up what adds most pairs not yet seen, then what has still to be seen with another. Packs stay smaller
 * than could be: where everything differs at once, what stands in a check's way hides what it would find.
 */
export function packChoices<T>(
  choices: readonly T[],
  touchedBy: (choice: T) => readonly string[],
  join: Join<T>,
  size: number,
): readonly (readonly T[])[] {
  const unseen = partners(choices, touchedBy, join);
  const packs: (readonly T[])[] = [];
  for (;;) {
    const toSee = (choice: T): number => unseen.get(choice)?.size ?? 0;
    const gainOf = (choice: T, pack: readonly T[]): number =>
      pack.filter((other) => unseen.get(choice)?.has(other)).length;
    const wanted = choices.filter((choice) => toSee(choice) > 0);
    const first = best(wanted, toSee);
    if (first === null) return packs;
    let pack: readonly T[] = [first];
    const left = new Set(wanted.filter((choice) => choice !== first));
    while (pack.length < size) {
      // What adds no pair may come along while it is wanted: the next one may make a pair with it.
      const next = best([...left], (choice) => gainOf(choice, pack));
      if (next === null) break;
      left.delete(next);
      pack = join(pack, next) ?? pack;
    }
    for (const one of pack) for (const other of pack) unseen.get(one)?.delete(other);
    packs.push(pack);
  }
}

/** By choice, those that it has to be seen with. */
function partners<T>(
  choices: readonly T[],
  touchedBy: (choice: T) => readonly string[],
  join: Join<T>,
): ReadonlyMap<T, Set<T>> {
  const all = new Map(choices.map((choice) => [choice, new Set<T>()]));
  const touched = choices.map((choice) => ({ choice, touches: touchedBy(choice) }));
  for (const [at, { choice: one, touches }] of touched.entries()) {
    for (const { choice: other, touches: others } of touched.slice(at + 1)) {
      if (!touches.some((rule) => others.includes(rule)) || join([one], other) === null) continue;
      all.get(one)?.add(other);
      all.get(other)?.add(one);
    }
  }
  return all;
}

/** The first of those with the highest score. */
function best<T>(items: readonly T[], score: (item: T) => number): T | null {
  let found: T | null = null;
  let highest = Number.NEGATIVE_INFINITY;
  for (const item of items) {
    const own = score(item);
    if (own > highest) [found, highest] = [item, own];
  }
  return found;
}
