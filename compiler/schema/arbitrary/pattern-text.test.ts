import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { patternText, withoutLookaround } from "./pattern-text.ts";

describe("patternText", () => {
  it.each([
    "^[a-z]+$",
    "^svc_live_.",
    "[0-9]{3}$",
    "^a|b$",
    "^(?:ab|cd){2,3}$",
    "^[^:]+:[^:]+$",
    "^[^\\p{Cc}]*$",
    "^\\p{Lu}\\p{Ll}+$",
    "^(?=.*\\S)[^\\p{Cc}]*$",
    "^(?!x)[a-z]{3}$",
    "^\\+[1-9]\\d{1,14}$",
    "^[^\\]]$",
    "^[\\w.-]+@[\\w-]+\\.[a-z]{2,}$",
    "^.{2}$",
    "",
  ])("mostly matches %s", (pattern) => {
    const regex = new RegExp(pattern, "u");
    const texts = fc.sample(patternText(pattern), { numRuns: 100, seed: 1 });
    expect(texts.filter((text) => regex.test(text)).length).toBeGreaterThan(80);
  });

  it.each(["^[^\\x00-\\x7f]+$", "^(a+)-\\1$", "\\bword\\b"])(
    "searches where it can't read the pattern: %s",
    (pattern) => {
      expect(fc.sample(patternText(pattern), { numRuns: 20, seed: 1 })).toHaveLength(20);
    },
  );
});

describe("withoutLookaround", () => {
  it.each([
    ["^(?=.*\\S)a(?!b(c))d(?<=e)(?<!f)$", "^ad$"],
    ["^(?:a(?=b))(?<n>c)$", "^(?:a)(?<n>c)$"],
    ["^\\(?=[(?=]$", "^\\(?=[(?=]$"],
  ])("%s becomes %s", (pattern, expected) => {
    expect(withoutLookaround(pattern)).toBe(expected);
  });
});
