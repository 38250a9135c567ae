import { flatten } from "../flatten.ts";
import { closedPlainly } from "../intersect.ts";
import type { Json, JsonSchema } from "../json-schema.ts";
import type { Components } from "../resolve-reference.ts";
import {
  anything,
  enumerated,
  isAnything,
  isNothing,
  isObject,
  type JsonType,
  numberAt,
  schemaAt,
  schemaMapAt,
  schemasAt,
  stringsAt,
  typeOf,
  typesOf,
} from "../schema-node.ts";
import { obligationsOf } from "./obligations.ts";

/**
 * Schemas that together admit exactly those values of a type that the schema refuses: one for each thing that it asks for,
 * said without a negation where that can be.
 */
export function complementOf(schema: JsonSchema, type: JsonType, components: Components): readonly JsonSchema[] {
  const { schema: flat } = flatten(schema, components);
  if (isNothing(flat)) return [anything];
  if (closedPlainly(flat) === null) return [refusing(flat)];
  return obligationsOf(flat).flatMap((part) => refusalsOf(part, type, components));
}

const refusing = (schema: JsonSchema): JsonSchema => ({ not: schema });

/** The same for one thing that a schema asks for. */
function refusalsOf(part: JsonSchema, type: JsonType, components: Components): readonly JsonSchema[] {
  if (part.type !== undefined) return refusedTypes(part, type);
  if (part.allOf !== undefined) return schemasAt(part, "allOf").flatMap((one) => complementOf(one, type, components));
  if (part.anyOf !== undefined) return [{ allOf: schemasAt(part, "anyOf").map(refusing) }];
  const refused = schemaAt(part, "not");
  if (refused !== undefined) return [refused];
  const values = enumerated(part);
  if (values !== undefined) return values.some((value) => isOf(value, type)) ? [refusing(part)] : [anything];
  const said = Object.keys(part).flatMap((keyword) => saidPlainly(keyword, part));
  return said.some((one) => one === null) ? [refusing(part)] : said.filter((one) => one !== null);
}

function refusedTypes(part: JsonSchema, type: JsonType): readonly JsonSchema[] {
  const types = typesOf(part);
  if (types.includes(type) || (type === "integer" && types.includes("number"))) return [];
  return type === "number" && types.includes("integer") ? [refusing({ type: "integer" })] : [anything];
}

const isOf = (value: Json, type: JsonType): boolean =>
  typeOf(value) === type || (type === "number" && typeof value === "number");

/** What breaks one keyword, a schema each way; a null where that can't be said of the keyword alone. */
function saidPlainly(keyword: string, part: JsonSchema): readonly (JsonSchema | null)[] {
  const bound = numberAt(part, keyword) ?? 0;
  switch (keyword) {
    case "minLength":
    case "minItems":
    case "minProperties":
      return bound <= 0 ? [] : [{ [keyword.replace("min", "max")]: Math.ceil(bound) - 1 }];
    case "maxLength":
    case "maxItems":
    case "maxProperties":
      return [{ [keyword.replace("max", "min")]: Math.floor(bound) + 1 }];
    case "minimum":
      return [{ exclusiveMaximum: bound }];
    case "maximum":
      return [{ exclusiveMinimum: bound }];
    case "exclusiveMinimum":
      return [{ maximum: bound }];
    case "exclusiveMaximum":
      return [{ minimum: bound }];
    case "multipleOf":
    case "uniqueItems":
      return [refusing({ [keyword]: part[keyword] ?? true })];
    case "required":
      return stringsAt(part, "required").map((name) => ({ properties: { [name]: false } }));
    case "dependentRequired":
      return refusedDependencies(part);
    case "dependentSchemas":
      return [...schemaMapAt(part, keyword)].map(([name, schema]) => ({ required: [name], ...refusing(schema) }));
    case "properties":
      return part.patternProperties === undefined && part.additionalProperties === undefined
        ? refusedMembers(part)
        : [null];
    default:
      return [null];
  }
}

function refusedDependencies({ dependentRequired }: JsonSchema): readonly JsonSchema[] {
  if (!isObject(dependentRequired)) return [];
  return Object.keys(dependentRequired).flatMap((name) =>
    stringsAt(dependentRequired, name).map((other) => ({ required: [name], properties: { [other]: false } })),
  );
}

const refusedMembers = (part: JsonSchema): readonly JsonSchema[] =>
  [...schemaMapAt(part, "properties")]
    .filter(([, member]) => !isAnything(member))
    .map(([name, member]) =>
      isNothing(member) ? { required: [name] } : { required: [name], properties: { [name]: refusing(member) } },
    );
