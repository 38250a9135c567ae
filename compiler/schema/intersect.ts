import { canonicalJson, sameJson, sortedSet } from "./canonical-json.ts";
import type { Json, JsonSchema } from "./json-schema.ts";
import { hasInPlaceApplicator, isAnnotation } from "./keywords.ts";
import {
  anything,
  enumerated,
  isAnything,
  isList,
  isNothing,
  isObject,
  type JsonType,
  nothing,
  numberAt,
  schemaAt,
  schemaFrom,
  schemaMapAt,
  schemasAt,
  stringsAt,
  typesOf,
  withDefined,
  without,
} from "./schema-node.ts";

/**
 * One schema that admits exactly the values that both admit. What can't be said in one schema (two patterns, two
 * unions) stays in its `allOf`. Subschemas are combined as `allOf`, unresolved.
 */
export function intersect(one: JsonSchema, other: JsonSchema): JsonSchema {
  if (isAnything(other) || sameJson(one, other)) return one;
  if (isAnything(one)) return other;
  if (isNothing(one) || isNothing(other)) return nothing;
  const left = closedPlainly(one);
  const right = closedPlainly(other);
  if (left === null || right === null) return { allOf: [...apart(one), ...apart(other)] };
  const merged: Record<string, Json> = {};
  const leftovers: JsonSchema[] = [...schemasAt(left, "allOf"), ...schemasAt(right, "allOf")];
  for (const group of groups) {
    const a = only(left, group.keywords);
    const b = only(right, group.keywords);
    const both = isAnything(a) || isAnything(b) ? { ...a, ...b } : group.merge(a, b);
    if (both === nothing) return nothing;
    Object.assign(merged, both ?? a);
    if (both === null) leftovers.push(b);
  }
  Object.assign(merged, remaining(left), remaining(right));
  for (const [keyword, json] of Object.entries(remaining(left))) {
    const same = right[keyword] === undefined || isAnnotation(keyword) || sameJson(json, right[keyword]);
    if (same) continue;
    merged[keyword] = json;
    leftovers.push(only(right, [keyword]));
  }
  return leftovers.length > 0 ? { ...merged, allOf: leftovers } : merged;
}

/** Both subschemas as one, lazily. */
export function bothOf(one: JsonSchema, other: JsonSchema): JsonSchema {
  if (isAnything(one) || sameJson(one, other)) return other;
  if (isAnything(other)) return one;
  if (isNothing(one) || isNothing(other)) return nothing;
  return { allOf: [...apart(one), ...apart(other)] };
}

const apart = (schema: JsonSchema): readonly JsonSchema[] =>
  Object.keys(schema).length === 1 && isList(schema.allOf) ? schemasAt(schema, "allOf") : [schema];

/**
 * The schema with `unevaluated…` said as `additionalProperties` and `items`, which look at the schema they stand in
 * and so can be merged; null when an applicator beside them makes that wrong.
 */
export function closedPlainly(schema: JsonSchema): JsonSchema | null {
  const { unevaluatedProperties, unevaluatedItems, ...rest } = schema;
  if (unevaluatedProperties === undefined && unevaluatedItems === undefined) return schema;
  // `contains` marks items as evaluated, so only a validator can tell which ones are left.
  if (hasInPlaceApplicator(rest) || (unevaluatedItems !== undefined && rest.contains !== undefined)) return null;
  return withDefined(rest, {
    additionalProperties: rest.additionalProperties ?? unevaluatedProperties,
    items: rest.items ?? unevaluatedItems,
  });
}

/** Keywords that must be merged together; `merge` gives null when no single schema says both. */
interface Group {
  readonly keywords: readonly string[];
  readonly merge: (one: JsonSchema, other: JsonSchema) => JsonSchema | null;
}

const groups: readonly Group[] = [
  { keywords: ["type", "nullable"], merge: mergeTypes },
  { keywords: ["enum", "const"], merge: mergeEnumerations },
  { keywords: ["properties", "patternProperties", "additionalProperties"], merge: mergeProperties },
  { keywords: ["prefixItems", "items"], merge: mergeItems },
  { keywords: ["contains", "minContains", "maxContains"], merge: mergeEqual },
  { keywords: ["if", "then", "else"], merge: mergeEqual },
  ...["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"].map((k) => bound(k, Math.max)),
  ...["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"].map((k) => bound(k, Math.min)),
  {
    keywords: ["required"],
    merge: (a, b) => ({ required: sortedSet([...stringsAt(a, "required"), ...stringsAt(b, "required")]) }),
  },
  { keywords: ["uniqueItems"], merge: (a, b) => ({ uniqueItems: a.uniqueItems === true || b.uniqueItems === true }) },
  { keywords: ["multipleOf"], merge: mergeMultiples },
  {
    keywords: ["propertyNames"],
    merge: (a, b) => ({
      propertyNames: bothOf(schemaFrom(a.propertyNames ?? true), schemaFrom(b.propertyNames ?? true)),
    }),
  },
  { keywords: ["dependentRequired"], merge: mergeDependentRequired },
];

/** The keywords that another schema must not have if this one is to stand beside it in the same schema. */
export function conflictGroupOf(schema: JsonSchema): readonly string[] {
  return Object.keys(schema).flatMap(
    (keyword) => groups.find((group) => group.keywords.includes(keyword))?.keywords ?? [keyword],
  );
}

const grouped = new Set(["allOf", ...groups.flatMap((group) => group.keywords)]);
const only = (schema: JsonSchema, keywords: readonly string[]): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => keywords.includes(keyword)));
const remaining = (schema: JsonSchema): JsonSchema => without(schema, ...grouped);

function bound(keyword: string, tighter: (one: number, other: number) => number): Group {
  return {
    keywords: [keyword],
    merge: (a, b) => ({ [keyword]: tighter(numberAt(a, keyword) ?? 0, numberAt(b, keyword) ?? 0) }),
  };
}

function mergeEqual(one: JsonSchema, other: JsonSchema): JsonSchema | null {
  return sameJson(one, other) ? one : null;
}

function mergeTypes(one: JsonSchema, other: JsonSchema): JsonSchema {
  const admits = (types: readonly JsonType[], type: JsonType): boolean =>
    types.includes(type) || (type === "integer" && types.includes("number"));
  const [left, right] = [typesOf(one), typesOf(other)];
  const shared = new Set([
    ...left.filter((type) => admits(right, type)),
    ...right.filter((type) => admits(left, type)),
  ]);
  const [first, ...more] = shared;
  if (first === undefined) return nothing;
  return { type: more.length === 0 ? first : [first, ...more] };
}

function mergeEnumerations(one: JsonSchema, other: JsonSchema): JsonSchema {
  const admitted = new Set((enumerated(other) ?? []).map(canonicalJson));
  const shared = (enumerated(one) ?? []).filter((value) => admitted.has(canonicalJson(value)));
  return shared.length === 0 ? nothing : { enum: shared };
}

function mergeMultiples(one: JsonSchema, other: JsonSchema): JsonSchema | null {
  const [a, b] = [numberAt(one, "multipleOf") ?? 1, numberAt(other, "multipleOf") ?? 1];
  if (a === b) return one;
  if (!Number.isInteger(a) || !Number.isInteger(b)) return null;
  const least = (a / greatestCommonDivisor(a, b)) * b;
  return Number.isSafeInteger(least) ? { multipleOf: least } : null;
}

export const greatestCommonDivisor = (a: number, b: number): number => (b === 0 ? a : greatestCommonDivisor(b, a % b));

/** What each schema says about a name: its own property, else what it says about additional ones. */
function mergeProperties(one: JsonSchema, other: JsonSchema): JsonSchema | null {
  const closed = one.additionalProperties !== undefined || other.additionalProperties !== undefined;
  const patterned = one.patternProperties !== undefined || other.patternProperties !== undefined;
  if (closed && patterned) return sameJson(one, other) ? one : null;
  const others = bothOf(
    schemaAt(one, "additionalProperties") ?? anything,
    schemaAt(other, "additionalProperties") ?? anything,
  );
  return withDefined(anything, {
    properties: mergeMaps(one, other, "properties", "additionalProperties"),
    patternProperties: mergeMaps(one, other, "patternProperties"),
    additionalProperties: closed ? booleanIfNothing(others) : undefined,
  });
}

function mergeMaps(one: JsonSchema, other: JsonSchema, keyword: string, elsewhere?: string): JsonSchema | undefined {
  if (one[keyword] === undefined && other[keyword] === undefined) return undefined;
  const [left, right] = [schemaMapAt(one, keyword), schemaMapAt(other, keyword)];
  const rest = (schema: JsonSchema): JsonSchema =>
    (elsewhere === undefined ? undefined : schemaAt(schema, elsewhere)) ?? anything;
  const names = [...new Set([...left.keys(), ...right.keys()])];
  return Object.fromEntries(
    names.map((name) => [name, bothOf(left.get(name) ?? rest(one), right.get(name) ?? rest(other))]),
  );
}

function mergeItems(one: JsonSchema, other: JsonSchema): JsonSchema {
  const [left, right] = [schemasAt(one, "prefixItems"), schemasAt(other, "prefixItems")];
  const [leftRest, rightRest] = [schemaAt(one, "items") ?? anything, schemaAt(other, "items") ?? anything];
  const longer = left.length > right.length ? left : right;
  const prefix = longer.map((_, index) => bothOf(left[index] ?? leftRest, right[index] ?? rightRest));
  const rest = bothOf(leftRest, rightRest);
  return withDefined(anything, {
    prefixItems: prefix.length > 0 ? prefix : undefined,
    items: isAnything(rest) ? undefined : booleanIfNothing(rest),
  });
}

function mergeDependentRequired(one: JsonSchema, other: JsonSchema): JsonSchema {
  const [left, right] = [one.dependentRequired, other.dependentRequired];
  const names = new Set([left, right].flatMap((map) => (isObject(map) ? Object.keys(map) : [])));
  const of = (map: Json | undefined, name: string): readonly string[] => (isObject(map) ? stringsAt(map, name) : []);
  const merged = [...names].map((name) => [name, sortedSet([...of(left, name), ...of(right, name)])] as const);
  return { dependentRequired: Object.fromEntries(merged) };
}

/** Closed objects and arrays are written, and reported by validators, with `false`. */
const booleanIfNothing = (schema: JsonSchema): Json => (isNothing(schema) ? false : schema);
