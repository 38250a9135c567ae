import type { JsonSchema } from "../contract.ts";
import { isAnnotation } from "../schema/keywords.ts";
import type { Components } from "../schema/resolve-reference.ts";
import { schemaMapAt, stringAt, stringsAt } from "../schema/schema-node.ts";
import { escapeToken } from "../schema/validator.ts";
import type { HttpParameter } from "./http-surface.ts";
import { targetOf } from "./schema-walk.ts";

/**
 * The parameters, with an exploded object of the query as one parameter for each property, if the other side has
 * parameters of these names. RFC 6570: `{?page*}` of an object writes `name=value` for each property, so requests are the same.
 */
export function withLooseParameters(
  own: readonly HttpParameter[],
  others: readonly HttpParameter[],
  components: Components,
): readonly HttpParameter[] {
  const [ownKeys, otherKeys] = [own, others].map((list) => new Set(list.map(({ key }) => key)));
  return own.flatMap((parameter): readonly HttpParameter[] => {
    if (otherKeys?.has(parameter.key) === true) return [parameter];
    const loose = looseOf(parameter, components);
    const isLooseThere = loose.some(({ key }) => otherKeys?.has(key) === true);
    return isLooseThere && !loose.some(({ key }) => ownKeys?.has(key) === true) ? loose : [parameter];
  });
}

/** One parameter for each property; none if the values are written in another way, or more is said of them together. */
function looseOf(parameter: HttpParameter, components: Components): readonly HttpParameter[] {
  const { in: location, writing, pointer, required } = parameter;
  const schema = objectOf(parameter.schema, components);
  const isExploded = location === "query" && writing.media === null && writing.style === "form" && writing.explode;
  if (!isExploded || schema === null) return [];
  const demanded = stringsAt(schema, "required");
  return [...schemaMapAt(schema, "properties")].map(([name, member]) => ({
    ...parameter,
    key: `query ${name}`,
    name,
    pointer: `${pointer}/schema/${escapeToken(name)}`,
    required: required && demanded.includes(name),
    deprecated: parameter.deprecated || member.deprecated === true,
    schema: member,
  }));
}

const ofObjects: ReadonlySet<string> = new Set(["type", "properties", "required", "additionalProperties"]);

/** The object that a schema is or refers to; null if it is no object, or more is said than its properties. */
function objectOf(schema: JsonSchema, components: Components): JsonSchema | null {
  const target = targetOf(stringAt(schema, "$ref"), components)?.schema ?? schema;
  const isPlain = Object.keys(target).every((keyword) => ofObjects.has(keyword) || isAnnotation(keyword));
  const { additionalProperties: others = true } = target;
  return target.type === "object" && isPlain && typeof others === "boolean" ? target : null;
}
