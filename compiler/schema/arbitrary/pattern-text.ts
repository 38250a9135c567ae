import fc from "fast-check";
import { hostileText } from "./hostile-text.ts";

/**
 * Texts that mostly match a pattern (ECMA-262, flag `u`); unanchored ends get more text around them. What the
 * generator cannot read is left out (lookaround) or searched for, so callers filter.
 */
export function patternText(pattern: string): fc.Arbitrary<string> {
  const made = known.get(pattern) ?? makePatternText(pattern);
  known.set(pattern, made);
  return made;
}

/** Some patterns (`\p{…}`) take long to prepare, and contracts have few of them. */
const known = new Map<string, fc.Arbitrary<string>>();

function makePatternText(pattern: string): fc.Arbitrary<string> {
  for (const source of [pattern, withoutLookaround(pattern)]) {
    const made = matching(source);
    if (made !== null) return made;
  }
  const search = [
    hostileText({ min: 0, max: undefined }),
    ...["a-z", "A-Z", "0-9", " -~"].map((set) => `^[${set}]*$`).map(simple),
  ];
  return fc.oneof(...search);
}

const simple = (source: string): fc.Arbitrary<string> => fc.stringMatching(new RegExp(source, "u"));

function matching(source: string): fc.Arbitrary<string> | null {
  try {
    const parts = tokens(source).map(spelledOut);
    if (parts.includes(null)) return null;
    const regex = new RegExp(parts.join(""), "u");
    return fc.oneof(
      { weight: 3, arbitrary: fc.stringMatching(regex) },
      { weight: 1, arbitrary: fc.stringMatching(regex, { size: "medium" }) },
    );
  } catch {
    // Parts of the syntax that fast-check does not read: lookaround, back references, word boundaries.
    return null;
  }
}

const printableAscii = Array.from({ length: 95 }, (_, index) => String.fromCharCode(index + 32));

/**
 * A negated class as the printable ASCII characters in it, null when there are none. fast-check looks among these too,
 * but slowly, and without end where there are none.
 */
function spelledOut(token: string): string | null {
  if (!token.startsWith("[^")) return token;
  const one = new RegExp(`^${token}$`, "u");
  const members = printableAscii.filter((character) => one.test(character));
  return members.length === 0 ? null : `[${members.map(escaped).join("")}]`;
}

const escaped = (character: string): string => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;

/** A pattern's classes, escapes, group openings and single characters, in order. */
function tokens(pattern: string): readonly string[] {
  return pattern.match(/\[(?:\\.|[^\]\\])*\]|\\.|\(\?(?:<?[=!]|:|<\w+>)|[\s\S]/gu) ?? [];
}

/** The pattern without its lookahead and lookbehind groups: it matches at least as much. */
export function withoutLookaround(pattern: string): string {
  const kept: string[] = [];
  let depthInside = 0;
  for (const token of tokens(pattern)) {
    if (depthInside > 0) {
      if (token.startsWith("(")) depthInside++;
      else if (token === ")") depthInside--;
    } else if (/^\(\?<?[=!]$/.test(token)) {
      depthInside = 1;
    } else {
      kept.push(token);
    }
  }
  return kept.join("");
}
