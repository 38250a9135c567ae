import type { Json, JsonSchema } from "../contract.ts";
import { sameJson } from "../schema/canonical-json.ts";
import type { Components } from "../schema/resolve-reference.ts";
import { enumerated, isObject, schemaMapAt, schemasAt, stringAt } from "../schema/schema-node.ts";
import { targetOf } from "./schema-walk.ts";

/** Schemas within schemas that are looked at for what tells alternatives apart. */
const mostLevels = 8;

/**
 * Whether a value may be one of a schema, as far as the values tell that it lists for members: false for an alternative
 * with another tag.
 */
export function mayBe(schema: JsonSchema, components: Components, value: Json, level = 0): boolean {
  if (level >= mostLevels) return true;
  const isOf = (part: JsonSchema, inner: Json = value): boolean => mayBe(part, components, inner, level + 1);
  const listed = enumerated(schema);
  if (listed !== undefined && !listed.some((one) => sameJson(one, value))) return false;
  const target = targetOf(stringAt(schema, "$ref"), components);
  if (target !== null && !isOf(target.schema)) return false;
  if (!schemasAt(schema, "allOf").every((part) => isOf(part))) return false;
  const unions = ["anyOf", "oneOf"].map((keyword) => schemasAt(schema, keyword));
  if (unions.some((branches) => branches.length > 0 && !branches.some((branch) => isOf(branch)))) return false;
  if (!isObject(value)) return true;
  return [...schemaMapAt(schema, "properties")].every(
    ([name, member]) => !Object.hasOwn(value, name) || isOf(member, value[name]),
  );
}

const alternatives: ReadonlySet<string> = new Set(["anyOf", "oneOf"]);

/**
 * Whether the way to a part of a schema leads through alternatives only that a value may be of. `at` are the tokens of the
 * way, and `way` those of the value, from where the schema speaks.
 */
export function isOnWayOf(
  schema: JsonSchema,
  components: Components,
  at: readonly string[],
  value: Json,
  way: readonly string[],
): boolean {
  const [keyword, token, ...rest] = at;
  if (keyword === undefined) return true;
  if (alternatives.has(keyword) || keyword === "allOf") {
    const branch = schemasAt(schema, keyword)[Number(token)];
    if (branch === undefined) return true;
    return (keyword === "allOf" || mayBe(branch, components, value)) && isOnWayOf(branch, components, rest, value, way);
  }
  const [name, ...further] = way;
  if (name === undefined) return true;
  const inner = Array.isArray(value) ? value[Number(name)] : isObject(value) ? value[name] : undefined;
  if (inner === undefined) return true;
  const named = schemaFor(schema, keyword, token ?? "");
  if (named !== null) return named === undefined || isOnWayOf(named, components, rest, inner, further);
  const part = aboutOthers.has(keyword) ? schema[keyword] : undefined;
  return isSchema(part) ? isOnWayOf(part, components, at.slice(1), inner, further) : true;
}

/** The schema that a keyword has for a token; null where it is no keyword with a schema for each. */
function schemaFor(schema: JsonSchema, keyword: string, token: string): JsonSchema | undefined | null {
  switch (keyword) {
    case "properties":
    case "patternProperties":
      return schemaMapAt(schema, keyword).get(token);
    case "prefixItems":
      return schemasAt(schema, keyword)[Number(token)];
    default:
      return null;
  }
}

/** Keywords whose one schema speaks about parts of the value. */
const aboutOthers: ReadonlySet<string> = new Set([
  "items",
  "additionalProperties",
  "unevaluatedItems",
  "unevaluatedProperties",
]);

const isSchema = (json: Json | undefined): json is JsonSchema => isObject(json);
