/** What stands on the base's side only, on the head's only, and on both, by key; in the order of base, then head. */
export interface Pairs<T> {
  readonly removed: readonly T[];
  readonly added: readonly T[];
  readonly both: readonly (readonly [base: T, head: T])[];
}

/** Of several items with one key the last counts. */
export function pairs<T>(base: readonly T[], head: readonly T[], keyOf: (item: T) => string): Pairs<T> {
  const before = new Map(base.map((item) => [keyOf(item), item]));
  const after = new Map(head.map((item) => [keyOf(item), item]));
  return {
    removed: [...before].flatMap(([key, item]) => (after.has(key) ? [] : [item])),
    added: [...after].flatMap(([key, item]) => (before.has(key) ? [] : [item])),
    both: [...before].flatMap(([key, item]) => {
      const other = after.get(key);
      return other === undefined ? [] : [[item, other] as const];
    }),
  };
}

const itself = (text: string): string => text;

export const textPairs = (base: readonly string[], head: readonly string[]): Pairs<string> => pairs(base, head, itself);
