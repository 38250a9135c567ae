import * as fc from "fast-check";
import { expect, test } from "vitest";
import { newStringFinder, shortestString } from "./string-finder.ts";

/** Few characters, so that strings overlap, contain each other and end alike; some of two code units, some half of one. */
const text = (minLength: number, maxLength: number) =>
  fc
    .array(fc.constantFrom("a", "b", "/", "+", "=", "%2F", "\u00e9", "\u{1f600}", "\ud800"), { minLength, maxLength })
    .map((parts) => parts.join(""));

const strings = fc.uniqueArray(text(shortestString, 14), { maxLength: 12 });

/** Texts made of whole and cut strings, and of others. */
const texts = (of: readonly string[]) =>
  fc
    .array(
      fc.oneof(
        text(0, 10),
        ...(of.length === 0 ? [] : [fc.constantFrom(...of), fc.constantFrom(...of).map((one) => one.slice(1))]),
      ),
      { maxLength: 10 },
    )
    .map((parts) => parts.join(""));

test("finds exactly the strings that a search for each one finds", () => {
  const cases = strings.chain((of) => fc.tuple(fc.constant(of), texts(of)));
  fc.assert(
    fc.property(cases, ([of, whole]) => {
      const finder = newStringFinder();
      for (const one of of) finder.add(one);
      expect(finder.foundIn(whole)).toEqual(of.filter((one) => whole.includes(one)));
    }),
    { numRuns: 2_000 },
  );
});

test("looks at each character of a text as often for many strings as for few", () => {
  const looks = (count: number): number => {
    const finder = newStringFinder();
    for (let number = 0; number < count; number += 1)
      finder.add(`svc_live_${String(number * 7_919).padStart(32, "x")}`);
    let seen = 0;
    const page = `{"records":[${'{"id":"0190a1b2-0000-7000-8000-000000000001"},'.repeat(900)}{}]}`;
    const watched = new Proxy(Object(page), {
      get(of, name) {
        seen += 1;
        const value: unknown = Reflect.get(of, name);
        return typeof value === "function" ? value.bind(of) : value;
      },
    });
    finder.foundIn(watched);
    return seen;
  };
  expect(looks(2_400)).toBeLessThan(looks(1) * 1.1);
});
