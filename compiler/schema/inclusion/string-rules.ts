import type { Json, JsonSchema } from "../json-schema.ts";
import { typeSpokenOf } from "../keywords.ts";
import { enumerated, numberAt, stringAt } from "../schema-node.ts";
import { type Doubt, doubt } from "./doubt.ts";
import { findText, type Lengths, type TextCondition, type TextFound } from "./find-text.ts";
import { formatPatterns, isFormatWithin } from "./formats-as-patterns.ts";
import { type Left, schemasUnder } from "./left.ts";
import { isCheckableFormat } from "./two-sides.ts";

/** The texts of the left side, as far as patterns, lengths and formats tell. */
interface Texts {
  readonly conditions: readonly TextCondition[];
  readonly lengths: Lengths;
  readonly formats: readonly string[];
}

export function textsOf(views: readonly JsonSchema[]): Texts {
  const formats = views.flatMap((view) => stringAt(view, "format") ?? []);
  const patterns = [
    ...views.flatMap((view) => stringAt(view, "pattern") ?? []),
    ...formats.flatMap((format) => formatPatterns.get(format)?.pattern ?? []),
  ];
  return {
    conditions: [
      ...patterns.map((pattern) => ({ pattern, matches: true })),
      ...schemasUnder(views, "not").flatMap(refusedTexts),
    ],
    lengths: {
      min: Math.max(0, ...views.map((view) => numberAt(view, "minLength") ?? 0)),
      max: Math.min(...views.map((view) => numberAt(view, "maxLength") ?? Infinity)),
    },
    formats,
  };
}

/** A refused pattern, or a few refused texts, as a pattern that is not found; nothing where more is said. */
function refusedTexts(refused: JsonSchema): readonly TextCondition[] {
  const { type = "string", ...said } = refused;
  const [keyword, ...others] = Object.keys(said);
  if (type !== "string" || keyword === undefined || others.length > 0) return [];
  const pattern =
    keyword === "format"
      ? exactPatternOf(stringAt(said, keyword))
      : (stringAt(said, "pattern") ?? listPattern(enumerated(said) ?? []));
  return pattern === null ? [] : [{ pattern, matches: false }];
}

function exactPatternOf(format: string | undefined): string | null {
  const known = formatPatterns.get(format ?? "");
  return known?.exact === true ? known.pattern : null;
}

/** The pattern of the texts of a list; null where there are none, or too many. */
function listPattern(values: readonly Json[]): string | null {
  const texts = values.filter((value) => typeof value === "string");
  if (texts.length === 0 || texts.length > mostListed) return null;
  return `^(?:${texts.map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("|")})$`;
}

/** What stands against all texts of the left side keeping what a schema says about texts. */
export function stringDoubts(left: Left, schema: JsonSchema): readonly Doubt[] {
  const texts = textsOf(left.views);
  return [
    ...lengthDoubts(left, texts, schema),
    ...patternDoubts(left, texts, schema),
    ...formatDoubts(left, texts, schema),
  ];
}

function lengthDoubts(left: Left, { conditions, lengths }: Texts, schema: JsonSchema): readonly Doubt[] {
  const [min, max] = [numberAt(schema, "minLength") ?? 0, numberAt(schema, "maxLength") ?? Infinity];
  const tooShort = { min: lengths.min, max: Math.min(lengths.max, Math.ceil(min) - 1) };
  const tooLong = { min: Math.max(lengths.min, Math.floor(max) + 1), max: lengths.max };
  const short =
    lengths.min >= min ? [] : exampleOf(left, "minLength", findText(conditions, tooShort), { maxLength: tooShort.max });
  const long =
    lengths.max <= max ? [] : exampleOf(left, "maxLength", findText(conditions, tooLong), { minLength: tooLong.min });
  return [...short, ...long];
}

function patternDoubts(left: Left, { conditions, lengths }: Texts, schema: JsonSchema): readonly Doubt[] {
  const pattern = stringAt(schema, "pattern");
  if (pattern === undefined || conditions.some((one) => one.matches && one.pattern === pattern)) return [];
  const found = findText([...conditions, { pattern, matches: false }], lengths);
  return exampleOf(left, "pattern", found, { not: { pattern } });
}

function formatDoubts(left: Left, { conditions, lengths, formats }: Texts, schema: JsonSchema): readonly Doubt[] {
  const format = stringAt(schema, "format");
  if (format === undefined || typeSpokenOf("format", schema) !== "string") return [];
  if (formats.some((one) => isFormatWithin(one, format))) return [];
  if (!isCheckableFormat(format)) return [doubt(left, "format", {})];
  const known = formatPatterns.get(format);
  const misses = known ? findText([...conditions, { pattern: known.pattern, matches: false }], lengths) : null;
  if (misses?.kind === "none" && known?.exact === true) return [];
  // A text may miss the format and yet match its pattern, where the pattern is not exact.
  const example = misses?.kind === "found" ? exampleOf(left, "format", misses, {}) : [];
  return [...example, doubt(left, "format", { not: { format } })];
}

/** Most texts of a list that are looked for in the texts of a pattern. */
const mostListed = 100;

/** What stands against all values of the left side being listed ones. */
export function valuesDoubts(left: Left, values: readonly Json[], keyword: string): readonly Doubt[] {
  const all = [doubt(left, keyword, { not: { enum: values } })];
  const pattern = listPattern(values);
  if (left.type !== "string" || pattern === null) return all;
  const { conditions, lengths } = textsOf(left.views);
  return exampleOf(left, keyword, findText([...conditions, { pattern, matches: false }], lengths), {
    not: { enum: values },
  });
}

/** No doubt where there is no such text; else the text that was found, and others like it. */
function exampleOf(left: Left, keyword: string, found: TextFound, more: JsonSchema): readonly Doubt[] {
  switch (found.kind) {
    case "none":
      return [];
    case "found":
      return [doubt(left, keyword, { enum: [found.text] }), doubt(left, keyword, more)];
    case "unknown":
      return [doubt(left, keyword, more)];
  }
}

export function isEmptyOfTexts({ views }: Left): boolean {
  const { conditions, lengths } = textsOf(views);
  return findText(conditions, lengths).kind === "none";
}
