import { canonicalJson, sortedSet } from "./canonical-json.ts";
import { areDisjoint, joinDisjoint } from "./join-disjoint.ts";
import type { Json, JsonSchema } from "./json-schema.ts";
import { enumerated, isAnything, isNothing, nothing, schemasAt, stringsAt, typeOf, without } from "./schema-node.ts";

/**
 * The schema with its union of normal branches said as simply as can be. Branches that admit nothing go, equal ones
 * become one, finite ones one enumeration, ones of different types one schema. What is left of one branch stands in
 * `allOf`, for the caller to merge.
 */
export function mergeUnions(schema: JsonSchema): JsonSchema {
  return mergeOneOf(mergeAnyOf(schema));
}

function mergeAnyOf(schema: JsonSchema): JsonSchema {
  if (schema.anyOf === undefined) return schema;
  const rest = without(schema, "anyOf");
  const branches = schemasAt(schema, "anyOf")
    .flatMap(alternativesIn)
    .filter((branch) => !isNothing(branch));
  if (branches.some(isAnything)) return rest;
  const joined = joinAll(joinFinite(sortedSet(branches)));
  const [only, ...others] = joined;
  if (only === undefined) return nothing;
  if (others.length === 0) return withAlso(rest, only);
  return { ...rest, anyOf: sortedSet(joined) };
}

function mergeOneOf(schema: JsonSchema): JsonSchema {
  if (schema.oneOf === undefined) return schema;
  const rest = without(schema, "oneOf");
  const branches = schemasAt(schema, "oneOf").filter((branch) => !isNothing(branch));
  const [only, ...others] = branches;
  if (only === undefined) return nothing;
  if (others.length === 0) return withAlso(rest, only);
  if (rest.anyOf === undefined && areDisjoint(branches)) return mergeAnyOf({ ...rest, anyOf: branches });
  // Two equal branches are not one: what satisfies both is refused.
  return { ...rest, oneOf: branches.toSorted((one, other) => (canonicalJson(one) < canonicalJson(other) ? -1 : 1)) };
}

const withAlso = (schema: JsonSchema, also: JsonSchema): JsonSchema =>
  isAnything(schema) ? also : { ...schema, allOf: [...schemasAt(schema, "allOf"), also] };

/** The branches of a branch that is nothing but a union itself. */
const alternativesIn = (branch: JsonSchema): readonly JsonSchema[] =>
  branch.anyOf !== undefined && Object.keys(branch).length === 1 ? schemasAt(branch, "anyOf") : [branch];

function joinFinite(branches: readonly JsonSchema[]): readonly JsonSchema[] {
  const finite = branches.flatMap((branch) => valuesOf(branch) ?? []);
  const infinite = branches.filter((branch) => valuesOf(branch) === null);
  return branches.length - infinite.length < 2 ? branches : [...infinite, enumeration(finite)];
}

/** Joins branches of different types for as long as there are any. */
function joinAll(branches: readonly JsonSchema[]): readonly JsonSchema[] {
  const joined: JsonSchema[] = [];
  for (const branch of branches) {
    const at = joined.findIndex((other) => joinDisjoint([other, branch]) !== null);
    const both = joinDisjoint([...joined.slice(at, at + 1), branch]);
    if (at === -1 || both === null) joined.push(branch);
    else joined[at] = both;
  }
  return joined;
}

/** Every value of a normal schema that admits finitely many by its face; null of all others. */
function valuesOf(schema: JsonSchema): readonly Json[] | null {
  if (Object.keys(schema).length !== 1) return null;
  const types = stringsAt(schema, "type");
  if (types.length === 0) return enumerated(schema) ?? null;
  const values = types.map((type) => finiteTypes.get(type));
  return values.every((each) => each !== undefined) ? values.flat() : null;
}

const finiteTypes: ReadonlyMap<string, readonly Json[]> = new Map([
  ["null", [null]],
  ["boolean", [false, true]],
]);

/** Exactly these values. Null and both booleans are said by their types. */
export function enumeration(values: readonly Json[]): JsonSchema {
  if (values.length === 0) return nothing;
  const set = sortedSet(values);
  const types = [...new Set(set.map(typeOf))].toSorted();
  const whole = types.flatMap((type) => finiteTypes.get(type) ?? []);
  return types.every((type) => finiteTypes.has(type)) && whole.length === set.length ? { type: types } : { enum: set };
}
