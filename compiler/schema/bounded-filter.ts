import fc from "fast-check";

/** No value was found that satisfies a condition, after many tries: most likely there is none. */
export class NoValueFound extends Error {
  override readonly name = "NoValueFound";
}

/**
 * Like `filter`: every value, also every shrunk one, satisfies the condition. Unlike it, generation gives up after
 * so many refused values in a row, with an error that says what was looked for, instead of going on for ever.
 */
export function satisfying<T>(
  base: fc.Arbitrary<T>,
  accepts: (value: T) => boolean,
  wanted: () => string,
  tries = 2000,
): fc.Arbitrary<T> {
  return new BoundedFilter(base, accepts, wanted, tries);
}

class BoundedFilter<T> extends fc.Arbitrary<T> {
  private readonly base: fc.Arbitrary<T>;
  private readonly accepts: (value: T) => boolean;
  private readonly wanted: () => string;
  private readonly tries: number;

  constructor(base: fc.Arbitrary<T>, accepts: (value: T) => boolean, wanted: () => string, tries: number) {
    super();
    this.base = base;
    this.accepts = accepts;
    this.wanted = wanted;
    this.tries = tries;
  }

  override generate(random: fc.Random, biasFactor: number | undefined): fc.Value<T> {
    for (let tried = 0; tried < this.tries; tried++) {
      const generated = this.base.generate(random, biasFactor);
      if (this.accepts(generated.value)) return generated;
    }
    throw new NoValueFound(`No value found in ${this.tries} tries for ${this.wanted()}`);
  }

  override canShrinkWithoutContext(value: unknown): value is T {
    return this.base.canShrinkWithoutContext(value) && this.accepts(value);
  }

  override shrink(value: T, context: unknown): fc.Stream<fc.Value<T>> {
    return this.base.shrink(value, context).filter((shrunk) => this.accepts(shrunk.value));
  }
}

/** The arbitrary when it yields a value within its tries, else null. Decided by one sample of a fixed seed. */
export function ifFruitful<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T> | null {
  try {
    fc.sample(arbitrary, { numRuns: 1, seed: 1 });
    return arbitrary;
  } catch (error) {
    if (error instanceof NoValueFound) return null;
    throw error;
  }
}
