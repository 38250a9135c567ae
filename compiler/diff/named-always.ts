import type { JsonSchema } from "../contract.ts";
import type { Components } from "../schema/resolve-reference.ts";
import { schemaMapAt, schemasAt, stringAt, stringsAt } from "../schema/schema-node.ts";
import { targetOf } from "./schema-walk.ts";

/** Schemas within schemas that are looked at. */
const mostLevels = 8;

/** Whether a schema names a member of all its values: itself, in a part, or in each of its alternatives. */
export const isNamedAlways = (schema: JsonSchema, components: Components, name: string): boolean =>
  isSaidAlways(schema, components, (one) => schemaMapAt(one, "properties").has(name));

/** Whether a schema demands a member of all its values, in the same ways. */
export const isDemandedAlways = (schema: JsonSchema, components: Components, name: string): boolean =>
  isSaidAlways(schema, components, (one) => stringsAt(one, "required").includes(name));

function isSaidAlways(
  schema: JsonSchema,
  components: Components,
  says: (schema: JsonSchema) => boolean,
  level = 0,
): boolean {
  if (level >= mostLevels) return false;
  const isSaid = (part: JsonSchema): boolean => isSaidAlways(part, components, says, level + 1);
  const target = targetOf(stringAt(schema, "$ref"), components);
  const unions = ["anyOf", "oneOf"].map((keyword) => schemasAt(schema, keyword));
  return (
    says(schema) ||
    (target !== null && isSaid(target.schema)) ||
    schemasAt(schema, "allOf").some(isSaid) ||
    unions.some((branches) => branches.length > 0 && branches.every(isSaid))
  );
}
