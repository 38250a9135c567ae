/** What packing needs to know of a choice. */
export interface Packable {
  readonly name: string;
  readonly rules: readonly string[];
}

/** A pack with one more choice in it, in the order in which they apply; null where they cannot stand together. */
export type Join<T> = (pack: readonly T[], choice: T) => readonly T[] | null;

/**
 * Puts choices into few packs such that each choice is in one at least, and each two that touch a common rule are in
 * one together, unless they cannot stand together. Greedy and deterministic: a pack begins with the choice that has
 * most to be seen with, and takes up what adds most pairs not yet seen, then what has still to be seen with another or is
 * in no pack yet. Packs stay smaller than could be: where everything differs at once, what stands in a check's way hides
 * what it would find.
 */
export function packChoices<T extends Packable>(
  choices: readonly T[],
  join: Join<T>,
  size: number,
): readonly (readonly T[])[] {
  const unseen = partners(choices, join);
  const unpacked = new Set(choices);
  const packs: (readonly T[])[] = [];
  for (;;) {
    const isWanted = (choice: T): boolean => unpacked.has(choice) || (unseen.get(choice)?.size ?? 0) > 0;
    const gainOf = (choice: T, pack: readonly T[]): number =>
      pack.filter((other) => unseen.get(choice)?.has(other)).length;
    const first = best(
      choices.filter(isWanted),
      (choice) => (unseen.get(choice)?.size ?? 0) + (unpacked.has(choice) ? 1 : 0),
    );
    if (first === null) return packs;
    let pack: readonly T[] = [first];
    const left = new Set(choices.filter((choice) => choice !== first));
    while (pack.length < size) {
      // What adds no pair may come along while it is wanted: the next one may make a pair with it.
      const next = best([...left].filter(isWanted), (choice) => gainOf(choice, pack));
      if (next === null) break;
      left.delete(next);
      pack = join(pack, next) ?? pack;
    }
    for (const one of pack) {
      unpacked.delete(one);
      for (const other of pack) unseen.get(one)?.delete(other);
    }
    packs.push(pack);
  }
}

/** By choice, those that it has to be seen with. */
function partners<T extends Packable>(choices: readonly T[], join: Join<T>): ReadonlyMap<T, Set<T>> {
  const all = new Map(choices.map((choice) => [choice, new Set<T>()]));
  for (const [at, one] of choices.entries()) {
    for (const other of choices.slice(at + 1)) {
      if (!one.rules.some((rule) => other.rules.includes(rule)) || join([one], other) === null) continue;
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
