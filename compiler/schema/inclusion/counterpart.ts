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

/** What the document calls the component: here its name begins with the side. */
const nameOf = (reference: JsonSchema): string | undefined =>
  stringAt(reference, "$ref")?.replace(/^#\/components\/schemas\/(?:first|second|shared)\./, "");
