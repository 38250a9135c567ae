import type { JsonSchema } from "../contract.ts";
import type { Components } from "../schema/resolve-reference.ts";
import { enumerated, type JsonType, schemasAt, stringAt, typeOf, typesOf } from "../schema/schema-node.ts";
import { targetOf } from "./schema-walk.ts";

/** Schemas within schemas that are looked at. */
const mostLevels = 8;

const all: readonly JsonType[] = ["array", "boolean", "integer", "number", "object", "string", "null"];

/**
 * The types of a schema's values, as far as it, what it refers to and its alternatives say; empty where they say nothing of
 * types. `integer` does not stand beside `number`.
 */
export function admittedTypes(schema: JsonSchema, components: Components): readonly JsonType[] {
  const found = typesIn(schema, components, 0);
  if (found.size === all.length) return [];
  return all.filter((type) => found.has(type) && !(type === "integer" && found.has("number")));
}

function typesIn(schema: JsonSchema, components: Components, level: number): ReadonlySet<JsonType> {
  if (level >= mostLevels) return new Set(all);
  const own = typesOf(schema);
  const said = new Set<JsonType>(own.includes("number") ? [...own, "integer"] : own);
  const listed = enumerated(schema)?.map(typeOf);
  const target = targetOf(stringAt(schema, "$ref"), components);
  const unions = ["anyOf", "oneOf"].map((keyword) => schemasAt(schema, keyword)).filter((union) => union.length > 0);
  const inner = (part: JsonSchema): ReadonlySet<JsonType> => typesIn(part, components, level + 1);
  const narrowing: readonly ReadonlySet<JsonType>[] = [
    ...(listed === undefined ? [] : [new Set(listed)]),
    ...(target === null ? [] : [inner(target.schema)]),
    ...schemasAt(schema, "allOf").map(inner),
    ...unions.map((union) => new Set(union.flatMap((branch) => [...inner(branch)]))),
  ];
  return new Set([...said].filter((type) => narrowing.every((types) => types.has(type))));
}
