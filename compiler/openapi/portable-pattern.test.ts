import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { portablePattern } from "./portable-pattern.ts";

describe("patterns that engines take without the flag u", () => {
  it.each([
    [String.raw`^[\w-.]+$`, String.raw`^[\w\-.]+$`],
    [String.raw`^[.-\d]+$`, String.raw`^[.\-\d]+$`],
    [String.raw`^[\w\-\_\.]+$`, String.raw`^[\w\-_\.]+$`],
    [String.raw`^a\_b\-c\/d\@e$`, String.raw`^a_b-c\/d@e$`],
    [String.raw`^{\d+}$`, String.raw`^\{\d+\}$`],
    ["^a{2}]}$", String.raw`^a{2}\]\}$`],
    ["^a{,3}$", String.raw`^a\{,3\}$`],
    [String.raw`^[^\s-:]*\"$`, String.raw`^[^\s\-:]*"$`],
    [String.raw`^[a\-z[]\'$`, String.raw`^[a\-z\[]'$`],
  ])("%s is said as %s", (pattern, said) => {
    expect(portablePattern(pattern)).toBe(said);
    const [without, withFlag] = [new RegExp(pattern), new RegExp(said, "u")];
    const texts = fc.array(fc.constantFrom(...`ab_-./@:{},3]["' zA[9\\`), { maxLength: 6 }).map((all) => all.join(""));
    fc.assert(
      fc.property(texts, (text) => {
        expect(withFlag.test(text)).toBe(without.test(text));
      }),
      { numRuns: 500, seed: 3 },
    );
  });

  it("are left as they are where the flag changes nothing", () => {
    for (const pattern of [
      String.raw`^[\w.-]+$`,
      String.raw`^\p{L}{1,3}\/\-?$`.replace(String.raw`\-`, "-"),
      "^(?=a)b",
    ]) {
      expect(portablePattern(pattern)).toBe(pattern);
    }
  });

  it("are not read where another engine means otherwise, or none takes them", () => {
    for (const pattern of [String.raw`\A[a-z_]\_\z`, String.raw`\h\_`, "(?i)a", "(?P<n>a)", "a++", "[b-a]", "("]) {
      expect(portablePattern(pattern)).toBeNull();
    }
  });
});
