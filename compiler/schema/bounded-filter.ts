import fc from "fast-check";

/** No value was found that satisfies a condition, after many tries: most likely there is none. */
export class NoValueFound extends Error {
  override readonly name = "NoValueFound";
}

/** Refused values in a row after which a first try gives up, and one of a filter that has yielded values before. */
const tries = { atFirst: 300, later: 10_000 } as const;

/**
 * Like `filter`: every value, also every shrunk one, satisfies the condition. Unlike it, this does not search for ever:
 * the result is null when a first search, of a fixed seed, finds nothing. Should a later one fail, its error says what
 * was looked for.
 */
export function satisfying<T>(
  base: fc.Arbitrary<T>,
  accepts: (value: T) => boolean,
  wanted: () => string,
): fc.Arbitrary<T> | null {
  try {
    fc.sample(new BoundedFilter(base, accepts, wanted, tries.atFirst), { numRuns: 1, seed: 1 });
    return new BoundedFilter(base, accepts, wanted, tries.later);
  } catch (error) {
    if (error instanceof NoValueFound) return null;
    throw error;
  }
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
