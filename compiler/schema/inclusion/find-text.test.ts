import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findText } from "./find-text.ts";

const any = { min: 0, max: Infinity };
const found = (matching: readonly string[], missing: readonly string[], lengths = any): string | null => {
  const conditions = [
    ...matching.map((pattern) => ({ pattern, matches: true })),
    ...missing.map((pattern) => ({ pattern, matches: false })),
  ];
  const result = findText(conditions, lengths);
  return result.kind === "found" ? result.text : null;
};

describe("findText", () => {
  it("finds a shortest text that the one pattern matches and the other does not", () => {
    expect(found(["^[a-z]+$"], ["^[a-z]{1,3}$"])).toMatch(/^[a-z]{4}$/);
    expect(found(["^a|b$"], ["^a"])).toBe("b");
    expect(found([], ["^(?:|.+)$"])).toMatch(/^[\n\r\u2028\u2029]$/u);
    expect(found(["$", "^x"], [])).toBe("x");
    expect(found(["a$b"], [])).toBeNull();
  });

  it("keeps the lengths, counted in code points", () => {
    expect(found(["^\\u{1F600}+$"], [], { min: 3, max: 3 })).toBe("😀😀😀");
    expect(findText([{ pattern: "^a{4}$", matches: true }], { min: 0, max: 3 })).toEqual({ kind: "none" });
  });

  it.each(["^(?=a)", "\\bword\\b", "(a)\\1", "(?i:a)"])("does not pretend to read: %s", (pattern) => {
    expect(findText([{ pattern, matches: true }], any)).toEqual({ kind: "unknown" });
  });

  it("still proves that there is none where what it can't read could only leave fewer", () => {
    const conditions = ["^(?=a)", "^a$", "^b$"].map((pattern) => ({ pattern, matches: true }));
    expect(findText(conditions, any)).toEqual({ kind: "none" });
  });

  it("gives up on what is too large", () => {
    expect(findText([{ pattern: "^(?:.{1,900}){9}$", matches: true }], any)).toEqual({ kind: "unknown" });
  });

  it("agrees with the engine on every text that it finds, and finds one where the engine does", () => {
    const piece = fc.constantFrom(
      "a",
      "b",
      "[ab]",
      "[^a]",
      ".",
      "\\d",
      "a*",
      "b+",
      "(?:ab)?",
      "a{1,2}",
      "(?:a|bc)",
      "^",
      "$",
      "|",
    );
    const pattern = fc
      .array(piece, { minLength: 1, maxLength: 4 })
      .map((pieces) => pieces.join(""))
      .filter((text) => !/[\^$|][*+?{]/.test(text));
    const texts = ["", "a", "b", "ab", "ba", "aa", "bc", "abc", "1", "a1", "\n", "bab"];
    const property = fc.property(pattern, pattern, (one, other) => {
      const [matchesOne, matchesOther] = [new RegExp(one, "u"), new RegExp(other, "u")];
      const result = findText(
        [
          { pattern: one, matches: true },
          { pattern: other, matches: false },
        ],
        any,
      );
      const isWitness = (text: string): boolean => matchesOne.test(text) && !matchesOther.test(text);
      if (result.kind === "found")
        expect(isWitness(result.text), `${one} ${other} ${JSON.stringify(result.text)}`).toBe(true);
      else expect(texts.filter(isWitness), `${one} ${other}`).toEqual([]);
    });
    fc.assert(property, { seed: 20260102, numRuns: 500 });
  });
});
