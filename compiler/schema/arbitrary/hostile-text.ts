import fc from "fast-check";

/** Bounds of a text in code points, as JSON Schema counts them. */
export interface TextBounds {
  readonly min: number;
  readonly max: number | undefined;
}

const ordinary = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -_.,:;!?"];
/** What quoting, escaping, templating and shells stumble over. */
const syntax = [..."\"\\'`/<>&%$#{}[]()*|~^@=+"];
/** Controls, line ends of all kinds, the byte order mark, and characters without width or with a direction. */
const invisible = [
  ..."\0\u0007\b\t\n\v\f\r\u001b\u007f\u0085\u00a0\u00ad\u200b\u200d\u200f\u202e\u2028\u2029\u2066\ufeff\ufffd\uffff",
];
/** Accents alone and composed, case pairs that change length, right-to-left scripts, wide scripts, emoji, planes above 0. */
const foreign = [..."éßİıſÅe\u0301ñאבגلسشकิไ한中文🎉👩🏽🇩𝕏𐍈\u{e0001}\u{10ffff}"];

/** Texts that programs have been known to mistake for something else. */
const notorious = [
  ...["null", "undefined", "true", "false", "0", "-1", "NaN", "1e999", "[object Object]", "__proto__", "constructor"],
  ...["' OR '1'='1", "<script>alert(1)</script>", "{{7*7}}", "#{7*7}", "../../etc/passwd", "%00", "%s%n", "a\r\nb: c"],
  ...[" ", "  leading", "trailing ", "👩‍👩‍👧‍👦", "🇩🇪", "مرحبا", "שלום", "ﷺ", "e\u0301", "\u202egnp.exe"],
];

/** One code point, often an awkward one; never half a surrogate pair. Shrinks to `a`. */
export function codePoint(): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...ordinary) },
    { weight: 2, arbitrary: fc.constantFrom(...syntax) },
    { weight: 1, arbitrary: fc.constantFrom(...invisible) },
    { weight: 2, arbitrary: fc.constantFrom(...foreign) },
    { weight: 1, arbitrary: anyCodePoint },
  );
}

const surrogates = { first: 0xd800, count: 0x800 } as const;
const anyCodePoint = fc
  .integer({ min: 0, max: 0x10ffff - surrogates.count })
  .map((n) => String.fromCodePoint(n < surrogates.first ? n : n + surrogates.count));

/** Longest text that is generated code point by code point; a longer one repeats a short one. */
const plainlyGenerated = 100;
/** Longest upper bound that is tried out exactly. */
const longestFullText = 1000;

export function hostileText({ min, max }: TextBounds): fc.Arbitrary<string> {
  const usual = min > plainlyGenerated ? repeated({ min, max }) : stringOf(min, max);
  const fitting = notorious.filter((text) => isWithin(text, { min, max }));
  const choices: fc.WeightedArbitrary<string>[] = [{ weight: 10, arbitrary: usual }];
  if (fitting.length > 0) choices.push({ weight: 2, arbitrary: fc.constantFrom(...fitting) });
  if (min > 0 && min <= plainlyGenerated) choices.push({ weight: 2, arbitrary: stringOf(min, min) });
  if (max !== undefined && max > min && max <= longestFullText) {
    choices.push({ weight: 2, arbitrary: repeated({ min: max, max }) });
  }
  return fc.oneof(...choices);
}

function stringOf(minLength: number, max: number | undefined): fc.Arbitrary<string> {
  return fc.string({
    unit: codePoint(),
    minLength,
    maxLength: Math.min(max ?? Number.MAX_SAFE_INTEGER, minLength + 20),
  });
}

function repeated({ min, max }: TextBounds): fc.Arbitrary<string> {
  const length = fc.integer({ min, max: Math.min(max ?? Number.MAX_SAFE_INTEGER, min + 8) });
  return fc.tuple(stringOf(1, 12), length).map(([part, points]) => {
    const unit = [...part];
    return Array.from({ length: points }, (_, index) => unit[index % unit.length]).join("");
  });
}

export function isWithin(text: string, { min, max }: TextBounds): boolean {
  const length = lengthOf(text);
  return length >= min && (max === undefined || length <= max);
}

/** Code points in a text. */
export const lengthOf = (text: string): number => [...text].length;
