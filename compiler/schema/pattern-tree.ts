import { anyButLineEnds, type CodePoints, classEscapes, complement, propertySet, union } from "./code-points.ts";

/** A regular expression taken apart. */
export type PatternNode =
  | { readonly kind: "characters"; readonly set: CodePoints }
  | { readonly kind: "sequence"; readonly parts: readonly PatternNode[] }
  | { readonly kind: "choice"; readonly branches: readonly PatternNode[] }
  | { readonly kind: "repeat"; readonly body: PatternNode; readonly min: number; readonly max: number }
  | { readonly kind: "start" }
  | { readonly kind: "end" }
  /** `\b`, or `\B` where it is negated. */
  | { readonly kind: "boundary"; readonly negated: boolean }
  /** Lookahead or lookbehind: matches nothing itself. */
  | { readonly kind: "look"; readonly body: PatternNode; readonly ahead: boolean; readonly negated: boolean }
  /** A back reference, which is not followed, or a group with flags of its own, which are not heeded. */
  | { readonly kind: "unread"; readonly body: PatternNode };

/** The tree of a pattern (ECMA-262, flag `u`); null when it is no valid pattern. */
export function patternTree(pattern: string): PatternNode | null {
  try {
    new RegExp(pattern, "u");
  } catch {
    return null;
  }
  return new PatternReader(pattern).choice();
}

const empty: PatternNode = { kind: "sequence", parts: [] };
const quantifier = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/;
const opening = /^\((\?(?:<?[=!]|:|<[^>]*>|[a-z-]*:))?/;
/** One escape outside or inside a class; the names are `\cX`, `\xHH`, `\uHHHH`, `\u{…}`, `\p{…}`, `\k<…>`, `\1`. */
const escapeForm =
  /^\\(?:c[A-Za-z]|x[\da-fA-F]{2}|u[\da-fA-F]{4}|u\{[\da-fA-F]+\}|[pP]\{[^}]*\}|k<[^>]*>|[1-9]\d*|[\s\S])/u;

/** Reads one valid pattern from left to right. */
class PatternReader {
  private rest: string;

  constructor(pattern: string) {
    this.rest = pattern;
  }

  choice(): PatternNode {
    const [first, ...others] = [this.sequence(), ...this.furtherBranches()];
    return others.length === 0 ? first : { kind: "choice", branches: [first, ...others] };
  }

  private *furtherBranches(): Generator<PatternNode> {
    while (this.rest.startsWith("|")) {
      this.take("|");
      yield this.sequence();
    }
  }

  private sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.rest !== "" && !/^[|)]/.test(this.rest)) parts.push(this.quantified(this.atom()));
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : { kind: "sequence", parts };
  }

  private quantified(body: PatternNode): PatternNode {
    const [whole, sign, least, comma, most] = quantifier.exec(this.rest) ?? [];
    if (whole === undefined) return body;
    this.take(whole);
    if (sign !== undefined)
      return { kind: "repeat", body, min: sign === "+" ? 1 : 0, max: sign === "?" ? 1 : Infinity };
    const min = Number(least);
    return { kind: "repeat", body, min, max: comma === "" ? min : most === "" ? Infinity : Number(most) };
  }

  private atom(): PatternNode {
    const [group, form] = opening.exec(this.rest) ?? [];
    if (group !== undefined) {
      this.take(group);
      const body = this.choice();
      this.take(")");
      if (form === undefined || form === "?:" || form.endsWith(">")) return body;
      if (form.endsWith(":")) return { kind: "unread", body };
      return { kind: "look", body, ahead: !form.includes("<"), negated: form.endsWith("!") };
    }
    if (this.rest.startsWith("[")) return { kind: "characters", set: this.characterClass() };
    const character = this.character();
    switch (character) {
      case "^":
        return { kind: "start" };
      case "$":
        return { kind: "end" };
      case ".":
        return { kind: "characters", set: anyButLineEnds };
      default:
        if (/^\\[bB]/.test(character)) return { kind: "boundary", negated: character === "\\B" };
        if (/^\\(?:k<|[1-9])/.test(character)) return { kind: "unread", body: empty };
        return { kind: "characters", set: setOf(character) };
    }
  }

  private characterClass(): CodePoints {
    this.take("[");
    const negated = this.rest.startsWith("^");
    if (negated) this.take("^");
    const sets: CodePoints[] = [];
    while (!this.rest.startsWith("]")) {
      const from = this.character();
      if (/^-[^\]]/u.test(this.rest)) {
        this.take("-");
        sets.push([[setOf(from)[0]?.[0] ?? 0, setOf(this.character())[0]?.[1] ?? 0]]);
      } else sets.push(setOf(from));
    }
    this.take("]");
    return negated ? complement(union(sets)) : union(sets);
  }

  /** The next escape or single character. */
  private character(): string {
    const [found = String.fromCodePoint(this.rest.codePointAt(0) ?? 0)] = escapeForm.exec(this.rest) ?? [];
    this.take(found);
    return found;
  }

  private take(text: string): void {
    this.rest = this.rest.slice(text.length);
  }
}

const controls: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, 0: 0, b: 8 };

/** What one character or escape matches. */
function setOf(written: string): CodePoints {
  const only = (code: number): CodePoints => [[code, code]];
  if (!written.startsWith("\\")) return only(written.codePointAt(0) ?? 0);
  const name = written.charAt(1);
  const known = classEscapes[name];
  if (known !== undefined) return known;
  if (name === "p" || name === "P") return propertySet(written);
  if (name === "c") return only((written.codePointAt(2) ?? 0) % 32);
  if (written.length > 2) return only(Number.parseInt(written.slice(2).replace(/[{}]/g, ""), 16));
  return only(controls[name] ?? written.codePointAt(1) ?? 0);
}
