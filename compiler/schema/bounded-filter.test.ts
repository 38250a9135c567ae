import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NoValueFound, satisfying } from "./bounded-filter.ts";

describe("satisfying", () => {
  it("yields only values that satisfy the condition, shrunk ones too", () => {
    const numbers =
      satisfying(
        fc.nat(),
        (n) => n % 10 !== 7,
        () => "a number that ends otherwise",
      ) ?? fc.constant(1);
    const seen: number[] = [];
    const result = fc.check(
      fc.property(numbers, (n) => seen.push(n) > 0 && n < 100),
      { seed: 1 },
    );
    expect(result.counterexample).toEqual([100]);
    expect(seen.every((n) => n % 10 !== 7)).toBe(true);
  });

  it("is null when nothing satisfies the condition", () => {
    expect(
      satisfying(
        fc.nat(),
        (n) => n < 0,
        () => "a negative number",
      ),
    ).toBeNull();
  });

  it("says what it looked for when values run out later", () => {
    let left = 1;
    const once =
      satisfying(
        fc.nat(),
        () => left-- > 0,
        () => "one more value",
      ) ?? fc.constant(0);
    expect(() => fc.sample(once, { numRuns: 1, seed: 1 })).toThrow(NoValueFound);
    expect(() => fc.sample(once, { numRuns: 1, seed: 1 })).toThrow(/for one more value/);
  });
});
