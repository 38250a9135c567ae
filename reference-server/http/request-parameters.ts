import type { Json, JsonSchema } from "../../generated/runtime/json.ts";
import { components } from "../../generated/schemas.ts";

/** The parameters of a query, by name. */
export function queryParameters(search: string, schema: JsonSchema): Record<string, unknown> {
  const given = new URLSearchParams(search);
  return typed(
    [...new Set(given.keys())].map((name) => {
      const values = given.getAll(name);
      const [only = ""] = values;
      // A list stays one. So does a single value given twice, which then is of the wrong type.
      return [name, isArray(schema, name) || values.length > 1 ? values : only];
    }),
    schema,
  );
}

/**
 * Text values turned into the numbers and booleans that the schema wants, where the text is one. Ids are in lower case,
 * as they may be written in either (RFC 9562, 4).
 */
export function typed(
  values: Iterable<readonly [string, string | readonly string[]]>,
  schema: JsonSchema,
): Record<string, unknown> {
  return Object.fromEntries([...values].map(([name, value]) => [name, convert(value, propertyOf(schema, name))]));
}

function convert(value: string | readonly string[], { type, format }: JsonSchema): unknown {
  if (typeof value !== "string") return value;
  if (format === "uuid") return value.toLowerCase();
  switch (type) {
    case "integer":
    case "number":
      return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(value) ? Number(value) : value;
    case "boolean":
      return value === "true" || value === "false" ? value === "true" : value;
    default:
      return value;
  }
}

const isArray = (schema: JsonSchema, name: string): boolean => propertyOf(schema, name).type === "array";

const propertyOf = (schema: JsonSchema, name: string): JsonSchema => {
  const property = propertiesOf(schema)[name];
  return isSchema(property) ? resolved(property) : {};
};

function propertiesOf(schema: JsonSchema): JsonSchema {
  return isSchema(schema.properties) ? schema.properties : {};
}

/** The schema itself, or the component that it refers to. */
function resolved(schema: JsonSchema): JsonSchema {
  if (typeof schema.$ref !== "string") return schema;
  return components[schema.$ref.slice("#/components/schemas/".length)] ?? schema;
}

const isSchema = (value: Json | undefined): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value);
