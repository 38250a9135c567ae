import fc from "fast-check";
import { isDisputed } from "../formats.ts";
import type { JsonSchema } from "../json-schema.ts";
import { enumerated, numberAt, schemaAt, schemasAt, stringAt } from "../schema-node.ts";
import { formatText } from "./format-text.ts";
import { codePoint, hostileText, isWithin, lengthOf, type TextBounds } from "./hostile-text.ts";
import { nearMisses } from "./near-misses.ts";
import { patternText } from "./pattern-text.ts";

/** Strings for a flat schema, most of them valid; `accepts` tells which are. Null when the lengths contradict. */
export function stringArbitrary(schema: JsonSchema, accepts: (text: string) => boolean): fc.Arbitrary<string> | null {
  const bounds = boundsOf(schema);
  if (bounds.max !== undefined && bounds.min > bounds.max) return null;
  const every = [schema, ...schemasAt(schema, "allOf")];
  const formats = every.flatMap((part) => formatText(stringAt(part, "format") ?? "") ?? []);
  const patterns = every.flatMap((part) => stringAt(part, "pattern") ?? []);
  const shaped = [...formats, ...patterns.map((pattern) => adapted(patternText(pattern), bounds, accepts))];
  const plain = shaped.length === 0 ? [hostileText(bounds)] : [];
  const misses = schemaAt(schema, "not");
  const missed = misses === undefined ? null : missing(misses, bounds);
  return fc.oneof(...shaped, ...plain, ...(missed === null ? [] : [missed]));
}

/** How long texts are that a schema's own level admits. */
export const boundsOf = (schema: JsonSchema): TextBounds => ({
  min: Math.ceil(numberAt(schema, "minLength") ?? 0),
  max: numberAt(schema, "maxLength"),
});

/** Texts that only just fail to satisfy a schema of one keyword; null where there is nothing to stay near to. */
function missing(refused: JsonSchema, bounds: TextBounds): fc.Arbitrary<string> | null {
  const format = stringAt(refused, "format");
  if (format !== undefined) {
    const text = formatText(format);
    return text && nearMisses(text).filter((miss) => !isDisputed(format, miss));
  }
  const pattern = stringAt(refused, "pattern");
  if (pattern !== undefined) return nearMisses(adapted(patternText(pattern), bounds, () => true));
  const texts = (enumerated(refused) ?? []).filter((value) => typeof value === "string");
  return texts.length === 0 ? null : nearMisses(fc.constantFrom(...texts));
}

/**
 * Generators of patterns know neither lengths nor anything beyond ASCII. So each text is brought to a length within
 * bounds by repeating or leaving out code points, and gets a hostile one, as long as it still is accepted.
 */
function adapted(
  texts: fc.Arbitrary<string>,
  bounds: TextBounds,
  accepts: (text: string) => boolean,
): fc.Arbitrary<string> {
  const spice = fc.array(fc.tuple(fc.nat(), codePoint()), { maxLength: 3 });
  return fc.tuple(texts, spice).map(([text, additions]) => {
    let current = isWithin(text, bounds) ? text : resized(text, bounds, accepts);
    for (const [position, point] of additions) {
      const points = [...current];
      const at = points.length === 0 ? 0 : position % points.length;
      const spiced = [points.toSpliced(at, 1, point), points.toSpliced(at, 0, point)].map((edited) => edited.join(""));
      current = spiced.find((candidate) => isWithin(candidate, bounds) && accepts(candidate)) ?? current;
    }
    return current;
  });
}

/** Places at which a text is made longer or shorter, at most. */
const mostPlaces = 50;

function resized(text: string, { min, max }: TextBounds, accepts: (text: string) => boolean): string {
  const points = [...text];
  const lacking = min - lengthOf(text);
  for (const [at, point] of points.slice(0, mostPlaces).entries()) {
    const candidate =
      lacking > 0
        ? points.toSpliced(at, 0, ...Array.from({ length: lacking }, () => point))
        : points.toSpliced(at, points.length - (max ?? points.length));
    const made = candidate.join("");
    if (accepts(made)) return made;
  }
  return text;
}
