import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EndlessPattern, matcherOf } from "./pattern-match.ts";

const many = 50_000;

describe("matcherOf", () => {
  it.each([
    ["nested repetitions", "^(a+)+$", `${"a".repeat(200)}b`, false],
    ["the same, found", "^(a+)+$", "a".repeat(200), true],
    ["nested repetitions of what may be empty", "^(a*)*b", "a".repeat(200), false],
    ["alternatives that are the same", "(a|a)*b", "a".repeat(200), false],
    ["alternatives that begin alike", "^(a|aa)+$", `${"a".repeat(200)}b`, false],
    ["words with spaces that may be missing", "^(\\w+\\s?)*$", `${"word ".repeat(100)}!`, false],
    ["the same, found", "^(\\w+\\s?)*$", "word ".repeat(100), true],
    ["counted repetitions of what may be empty", "^(a?){40}a{40}$", "a".repeat(40), true],
    ["the same of too little", "^(a?){40}a{40}$", "a".repeat(39), false],
    ["a list that may end in a comma", "^(.*,)*$", `${"a,".repeat(100)}a`, false],
    ["three repetitions of spaces", "\\s*\\s*\\s*$", `${" ".repeat(3_000)}x`, true],
    ["three repetitions of spaces before a letter", "^\\s*\\s*\\s*a$", `${" ".repeat(3_000)}x`, false],
    ["four of anything", "^.*.*.*.*=", "x".repeat(3_000), false],
    [
      "an address",
      "^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}[a-z]{2,3}$",
      "a".repeat(300),
      false,
    ],
    ["nested repetitions in what is ahead", "^(?=(x+)+y)x", "x".repeat(200), false],
    ["nested repetitions in what must not be ahead", "^(?!(x+)+y)x", "x".repeat(200), true],
    ["nested repetitions in what is behind", "(?<=(x+)+y)$", "x".repeat(200), false],
    ["nested repetitions at the ends of words", "(\\b\\w+\\b ?)+!$", "ab ".repeat(100), false],
    ["a long text of one class", "^[a-z]{1,50000}$", "a".repeat(many), true],
    ["a long text that is one too long", "^[a-z]{1,49999}$", "a".repeat(many), false],
    ["what lies beyond the basic plane", "^(?:(?:😀|.)+)+b$", "😀".repeat(200), false],
  ])("ends with %s", (_, pattern, text, isFound) => {
    expect(matcherOf(pattern).test(text)).toBe(isFound);
  });

  it.each([
    ["a back reference among alternatives", "^(a|a)*\\1b$", "a".repeat(200)],
    ["a group with flags of its own", "^(?i:(a+)+)$", `${"a".repeat(200)}b`],
    ["a lookahead at every place of a long text", "(?=.*x)y", "a".repeat(many)],
  ])("gives up on %s, where that may take for ever", (_, pattern, text) => {
    expect(() => matcherOf(pattern).test(text)).toThrow(EndlessPattern);
  });

  it.each([
    ["^(a)\\1$", "aa", true],
    ["^(?i:ab)$", "AB", true],
  ])("leaves %s to the engine where the text is short", (pattern, text, isFound) => {
    expect(matcherOf(pattern).test(text)).toBe(isFound);
  });

  it("refuses what is no pattern", () => {
    expect(() => matcherOf("(a")).toThrow(SyntaxError);
  });
});

/** Patterns of a few letters, of every kind of part that is followed. */
const { pattern: patterns } = fc.letrec<{ pattern: string }>((tie) => {
  const inner = tie("pattern");
  const parts = fc.array(inner, { minLength: 1, maxLength: 3 });
  return {
    pattern: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constantFrom("a", "b", "[ab]", "[^a]", ".", "\\w", "^", "$", "\\b", "\\B", "-"),
      parts.map((all) => all.join("")),
      parts.map((all) => `(?:${all.join("|")})`),
      fc
        .tuple(inner, fc.constantFrom("*", "+", "?", "{2}", "{0,2}", "{1,3}", "{2,}", "*?"))
        .map(([body, count]) => `(${body})${count}`),
      fc.tuple(inner, fc.constantFrom("?=", "?!", "?<=", "?<!")).map(([body, sign]) => `(${sign}${body})`),
    ),
  };
});

it("follows positions to what an engine finds that tracks back", () => {
  const texts = fc.array(fc.constantFrom("a", "b", "-", "é"), { maxLength: 6 }).map((all) => all.join(""));
  // So many ways ahead, none of which leads anywhere, that it is no more left to the engine.
  const costly = "(?:(?:(?:x?){9}){9}){9}";
  fc.assert(
    fc.property(patterns, texts, (pattern, text) => {
      const isFound = new RegExp(pattern, "u").test(text);
      expect(matcherOf(`(?:${costly})?(?:${pattern})`).test(text)).toBe(isFound);
      expect(matcherOf(pattern).test(text)).toBe(isFound);
    }),
    { numRuns: 3_000 },
  );
});
