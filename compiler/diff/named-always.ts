import type { JsonSchema } from "../contract.ts";
import type { Components } from "../schema/resolve-reference.ts";
import { schemaMapAt, schemasAt, stringAt } from "../schema/schema-node.ts";
import { targetOf } from "./schema-walk.ts";

/** Schemas within schemas that are looked at. */
const mostLevels = 8;

/** Whether a schema names a member of all its values: itself, in a part, or in each of its alternatives. */
export function isNamedAlways(schema: JsonSchema, components: Components, name: string, level = 0): boolean {
  if (level >= mostLevels) return false;
  const isNamed = (part: JsonSchema): boolean => isNamedAlways(part, components, name, level + 1);
  const target = targetOf(stringAt(schema, "$ref"), components);
  const unions = ["anyOf", "oneOf"].map((keyword) => schemasAt(schema, keyword));
  return (
    schemaMapAt(schema, "properties").has(name) ||
    (target !== null && isNamed(target.schema)) ||
    schemasAt(schema, "allOf").some(isNamed) ||
    unions.some((branches) => branches.length > 0 && branches.every(isNamed))
  );
}
