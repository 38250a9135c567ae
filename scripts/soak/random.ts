/** Chances of one run, which a seed repeats. */
export interface Random {
  /** From 0 up to, and without, 1. */
  readonly fraction: () => number;
  /** A whole number from `least` to `greatest`. */
  readonly between: (least: number, greatest: number) => number;
  /** Throws where there is nothing to choose from. */
  readonly oneOf: <Item>(items: readonly Item[]) => Item;
}

/** Mulberry32. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, greatest: number): number => least + Math.floor(fraction() * (greatest - least + 1));
  return {
    fraction,
    between,
    oneOf(items) {
      const item = items[between(0, items.length - 1)];
      if (item === undefined) throw new Error("There is nothing to choose from.");
      return item;
    },
  };
}
