import { sameJson } from "../canonical-json.ts";
import type { JsonSchema } from "../json-schema.ts";
import { schemasAt, stringAt } from "../schema-node.ts";

/** The reference that a schema is nothing but; null where it says more. */
export function bareReference(schema: JsonSchema): JsonSchema | null {
  if (Object.keys(schema).length !== 1) return null;
  if (schema.$ref !== undefined) return schema;
  const [only, ...others] = schemasAt(schema, "allOf");
  return only !== undefined && others.length === 0 ? bareReference(only) : null;
}

/** The alternatives with those first that refer to the component which the reference names: they likely admit its values. */
export function likelyFirst(branches: readonly JsonSchema[], reference: JsonSchema | null): readonly JsonSchema[] {
  if (reference === null) return branches;
  const isCounterpart = (branch: JsonSchema): boolean => {
    const other = bareReference(branch);
    return other !== null && nameOf(other) === nameOf(reference);
  };
  return [...branches.filter(isCounterpart), ...branches.filter((branch) => !isCounterpart(branch))];
}

/** Alternatives and where they stand, likely ones of another side's first: of its name or wording, then at its index. */
export function byLikelihood(
  branches: readonly JsonSchema[],
  one: JsonSchema,
  index: number,
): readonly { readonly branch: JsonSchema; readonly at: number }[] {
  const own = bareReference(one);
  const rank = (branch: JsonSchema, at: number): number => {
    const other = bareReference(branch);
    if (own !== null && other !== null ? nameOf(own) === nameOf(other) : sameJson(one, branch)) return 0;
    return at === index ? 1 : 2;
  };
  return branches
    .map((branch, at) => ({ branch, at, rank: rank(branch, at) }))
    .toSorted((first, second) => first.rank - second.rank);
}

/** What the document calls the component: here its name begins with the side. */
const nameOf = (reference: JsonSchema): string | undefined =>
  stringAt(reference, "$ref")?.replace(/^#\/components\/schemas\/(?:first|second|shared)\./, "");
