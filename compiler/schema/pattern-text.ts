import fc from "fast-check";
import { hostileText } from "./hostile-text.ts";

/**
 * Texts that mostly match a pattern (ECMA-262, flag `u`); unanchored ends get more text around them. What the
 * generator cannot read is left out (lookaround) or searched for, so callers filter.
 */
export function patternText(pattern: string): fc.Arbitrary<string> {
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
  // fast-check looks for characters of a negated class among printable ASCII only, and without end.
  if (tokens(source).some(isBarren)) return null;
  try {
    const regex = new RegExp(source, "u");
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

function isBarren(token: string): boolean {
  if (!token.startsWith("[^")) return false;
  try {
    const regex = new RegExp(token, "u");
    return !printableAscii.some((character) => regex.test(character));
  } catch {
    return true;
  }
}

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
