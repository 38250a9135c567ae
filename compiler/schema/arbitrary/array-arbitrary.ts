import fc from "fast-check";
import { canonicalJson } from "../canonical-json.ts";
import { bothOf } from "../intersect.ts";
import type { Json, JsonSchema } from "../json-schema.ts";
import { anything, numberAt, schemaAt, schemasAt } from "../schema-node.ts";
import type { Grow } from "./grow.ts";

/** Longest upper bound that is tried out exactly. */
const longestFullArray = 64;

/**
 * Arrays for a flat schema, most of them valid; null when there is none. `usualExtra`: items beyond the least number
 * that are generated where the schema sets no nearer bound.
 */
export function arrayArbitrary(
  schema: JsonSchema,
  grow: Grow,
  usualExtra: number,
): fc.Arbitrary<readonly Json[]> | null {
  const parts = partsOf(schema, grow);
  const unique = schema.uniqueItems === true;
  const min = numberAt(schema, "minItems") ?? 0;
  const max = Math.min(numberAt(schema, "maxItems") ?? Number.MAX_SAFE_INTEGER, parts.longest);
  if (min > max) return null;
  const arrays = [arraysOf(parts, { min, max: Math.min(max, min + usualExtra) }, unique)];
  if (max > min + usualExtra && max <= longestFullArray) arrays.push(arraysOf(parts, { min: max, max }, unique));
  const [usual = arrays[0], full] = arrays;
  if (usual === undefined) return null;
  const all = full === undefined ? usual : fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: full });
  return schemaAt(schema, "not")?.uniqueItems === true ? repeating(all, max) : all;
}

interface Parts {
  readonly prefix: readonly fc.Arbitrary<Json>[];
  /** Items after the prefix; null when there may be none. */
  readonly rest: fc.Arbitrary<Json> | null;
  /** Items that `contains` asks for. */
  readonly wanted: { readonly item: fc.Arbitrary<Json>; readonly count: number } | null;
  readonly longest: number;
}

function partsOf(schema: JsonSchema, grow: Grow): Parts {
  const prefixes = schemasAt(schema, "prefixItems").map(grow);
  const missing = prefixes.indexOf(null);
  const prefix = prefixes.filter((item) => item !== null).slice(0, missing === -1 ? undefined : missing);
  const items = schemaAt(schema, "items") ?? schemaAt(schema, "unevaluatedItems") ?? anything;
  const contained = schemaAt(schema, "contains");
  const count = contained === undefined ? 0 : (numberAt(schema, "minContains") ?? 1);
  const item = contained === undefined || count === 0 ? null : grow(bothOf(items, contained));
  const limited = contained !== undefined && numberAt(schema, "maxContains") !== undefined;
  const rest = missing !== -1 ? null : grow(limited ? bothOf(items, { not: contained }) : items);
  const wanted = item === null || missing !== -1 ? null : { item, count };
  const longest = rest === null ? prefix.length + (wanted?.count ?? 0) : Number.MAX_SAFE_INTEGER;
  return { prefix, rest, wanted, longest };
}

function arraysOf(parts: Parts, bounds: { min: number; max: number }, unique: boolean): fc.Arbitrary<readonly Json[]> {
  const { prefix, rest, wanted } = parts;
  const wantedCount = wanted === null ? 0 : Math.min(wanted.count, bounds.max);
  const lengths = {
    minLength: Math.max(0, bounds.min - prefix.length - wantedCount),
    maxLength: Math.max(0, bounds.max - Math.min(prefix.length, bounds.min) - wantedCount),
  };
  // Some spare items, since repeated ones are dropped.
  const spare = unique ? lengths.maxLength + 4 : lengths.maxLength;
  const size = lengths.minLength > 0 ? "max" : undefined;
  const tail =
    rest === null ? fc.constant([]) : fc.array(rest, { ...lengths, maxLength: spare, ...(size && { size }) });
  const asked =
    wanted === null ? fc.constant([]) : fc.array(wanted.item, { minLength: wantedCount, maxLength: wantedCount });
  const positions = fc.array(fc.nat(), { minLength: wantedCount, maxLength: wantedCount });
  const cut = fc.nat({ max: prefix.length });
  return fc.tuple(fc.tuple(...prefix), tail, asked, positions, cut).map(([head, items, asked, places, dropped]) => {
    const after = asked.reduce<readonly Json[]>((all, item, index) => {
      return all.toSpliced((places[index] ?? 0) % (all.length + 1), 0, item);
    }, items);
    // A prefix need not be there in full, but only a full one may have items after it.
    const whole =
      after.length > 0 || asked.length > 0
        ? [...head, ...after]
        : head.slice(0, Math.max(bounds.min, head.length - dropped));
    const kept = unique ? distinct(whole) : whole;
    return kept.slice(0, bounds.max);
  });
}

function distinct(items: readonly Json[]): readonly Json[] {
  return [...new Map(items.toReversed().map((item) => [canonicalJson(item), item])).values()].toReversed();
}

/** The arrays with one of their items once more, in place of another where there is no room. */
function repeating(arrays: fc.Arbitrary<readonly Json[]>, max: number): fc.Arbitrary<readonly Json[]> {
  return fc.tuple(arrays, fc.nat(), fc.nat()).map(([items, which, where]) => {
    const copied = items.slice(which % Math.max(1, items.length)).slice(0, 1);
    return items.toSpliced(where % (items.length + 1), items.length < max ? 0 : 1, ...copied);
  });
}
