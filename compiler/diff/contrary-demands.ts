import type { JsonSchema } from "../contract.ts";
import { mapSubschemas } from "../schema/keywords.ts";
import type { Components } from "../schema/resolve-reference.ts";
import { schemaMapAt, stringsAt } from "../schema/schema-node.ts";
import type { Meant } from "./meant.ts";

/** Members that an object demands and, being closed, refuses: by the letter there is no such object. */
export function contraryDemands(schema: JsonSchema): readonly string[] {
  const { additionalProperties, patternProperties, required } = schema;
  if (additionalProperties !== false || patternProperties !== undefined || required === undefined) return [];
  const named = schemaMapAt(schema, "properties");
  return stringsAt(schema, "required").filter((name) => !named.has(name));
}

/**
 * The schema without demands that nothing can meet: else all would be admitted or refused alike, and what else differs of such an
 * object would be told by nobody. The same object where there are none.
 */
export function withoutContraryDemands({ schema, components }: Meant): Meant {
  const met = componentsMet(components);
  const own = metIn(schema);
  return met === components && own === schema ? { schema, components } : { schema: own, components: met };
}

const known = new WeakMap<Components, Components>();

/** One value for each document, since verdicts are kept by it. */
function componentsMet(components: Components): Components {
  const found = known.get(components);
  if (found !== undefined) return found;
  const made = Object.entries(components).map(([name, schema]) => [name, metIn(schema)] as const);
  const met = made.every(([name, schema]) => schema === components[name]) ? components : Object.fromEntries(made);
  known.set(components, met);
  return met;
}

function metIn(schema: JsonSchema): JsonSchema {
  let isSame = true;
  const inner = mapSubschemas(schema, (part) => {
    const met = metIn(part);
    isSame &&= met === part;
    return met;
  });
  const contrary = contraryDemands(schema);
  if (contrary.length === 0) return isSame ? schema : inner;
  return { ...inner, required: stringsAt(schema, "required").filter((name) => !contrary.includes(name)) };
}
