import type { Json, JsonSchema } from "./json-schema.ts";
import { isList, isObject, type JsonType, schemaFrom } from "./schema-node.ts";

/** What each keyword of JSON Schema 2020-12 is about. */

/** Keywords that never make a value invalid, with those that OpenAPI adds; `x-…` is one of them too. */
const annotations: ReadonlySet<string> = new Set([
  ...["title", "description", "default", "deprecated", "readOnly", "writeOnly", "examples", "$comment"],
  ...["contentEncoding", "contentMediaType", "contentSchema"],
  ...["example", "externalDocs", "xml", "discriminator"],
]);

export const isAnnotation = (keyword: string): boolean => annotations.has(keyword) || keyword.startsWith("x-");

export function withoutAnnotations(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !isAnnotation(keyword)));
}

/** Keywords that look at values of one type only and let all others pass. */
export const keywordsOfType = {
  string: ["minLength", "maxLength", "pattern", "format"],
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "format"],
  array: [
    ...["prefixItems", "items", "contains", "minContains", "maxContains"],
    ...["minItems", "maxItems", "uniqueItems", "unevaluatedItems"],
  ],
  object: [
    ...["properties", "patternProperties", "additionalProperties", "propertyNames", "required"],
    ...["minProperties", "maxProperties", "dependentRequired", "dependentSchemas", "unevaluatedProperties"],
  ],
} as const;

/** Formats of numbers, whatever the type beside them; every other speaks about strings, but where numbers alone are admitted. */
const numberFormats: ReadonlySet<Json> = new Set(["int32", "int64", "float", "double"]);

/** The one type that a keyword of this schema speaks about; null when it speaks about all. */
export function typeSpokenOf(keyword: string, schema: JsonSchema): Exclude<JsonType, "integer"> | null {
  if (keyword === "format") return numberFormats.has(schema.format ?? "") || isOfNumbers(schema) ? "number" : "string";
  for (const type of ["string", "number", "array", "object"] as const) {
    const own: readonly string[] = keywordsOfType[type];
    if (own.includes(keyword)) return type;
  }
  return null;
}

function isOfNumbers({ type }: JsonSchema): boolean {
  const types = (isList(type) ? type : [type ?? "any"]).filter((one) => one !== "null");
  return types.length > 0 && types.every((one) => one === "number" || one === "integer");
}

/** Keywords whose schemas apply to the same value, so that their results count for `unevaluated…` beside them. */
export const inPlaceApplicators = [
  "$ref",
  "allOf",
  "anyOf",
  "oneOf",
  "if",
  "then",
  "else",
  "dependentSchemas",
] as const;

/** Keywords that mark the members or items they speak about as evaluated. */
export const evaluators = [
  ...["properties", "patternProperties", "additionalProperties"],
  ...["prefixItems", "items", "contains"],
];

export const hasInPlaceApplicator = (schema: JsonSchema): boolean =>
  inPlaceApplicators.some((k) => schema[k] !== undefined);

const known: ReadonlySet<string> = new Set([
  ...["type", "nullable", "enum", "const", "not", "$defs", "$schema"],
  ...Object.values(keywordsOfType).flat(),
  ...inPlaceApplicators,
]);

/** A keyword that is part of JSON Schema or OpenAPI, as far as this library goes: `$id`, `$anchor` and `$dynamicRef` are not. */
export const isKnown = (keyword: string): boolean => known.has(keyword) || isAnnotation(keyword);

const oneSchema: ReadonlySet<string> = new Set([
  ...["not", "if", "then", "else", "items", "contains", "unevaluatedItems"],
  ...["additionalProperties", "propertyNames", "unevaluatedProperties"],
]);
const schemaList: ReadonlySet<string> = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const schemaMap: ReadonlySet<string> = new Set(["properties", "patternProperties", "dependentSchemas", "$defs"]);

/**
 * The schema with each schema directly in it replaced. Data (`enum`, `const`) is left alone even where it looks
 * like a schema, and so are boolean schemas unless they are asked for: they are handed over as objects.
 */
export function mapSubschemas(
  schema: JsonSchema,
  map: (subschema: JsonSchema, keyword: string, name: string | null) => JsonSchema,
  booleans: "keep" | "map" = "keep",
): JsonSchema {
  const one = (json: Json, keyword: string, name: string | null): Json => {
    if (isObject(json)) return map(json, keyword, name);
    return booleans === "map" && typeof json === "boolean" ? map(schemaFrom(json), keyword, name) : json;
  };
  const entries = Object.entries(schema).map(([keyword, json]): [string, Json] => {
    if (oneSchema.has(keyword)) return [keyword, one(json, keyword, null)];
    if (schemaList.has(keyword) && isList(json)) {
      return [keyword, json.map((item, index) => one(item, keyword, String(index)))];
    }
    if (schemaMap.has(keyword) && isObject(json)) {
      const members = Object.entries(json).map(([name, member]) => [name, one(member, keyword, name)] as const);
      return [keyword, Object.fromEntries(members)];
    }
    return [keyword, json];
  });
  return Object.fromEntries(entries);
}

/** Hands over each schema directly in this one, as `mapSubschemas` does. Boolean schemas are left alone. */
export function forEachSubschema(schema: JsonSchema, visit: (subschema: JsonSchema, keyword: string) => void): void {
  for (const [keyword, json] of Object.entries(schema)) {
    if (typeof json !== "object" || json === null) continue;
    const one = (inner: Json | undefined): void => {
      if (isObject(inner)) visit(inner, keyword);
    };
    if (oneSchema.has(keyword)) one(json);
    else if (schemaList.has(keyword) && isList(json)) json.forEach(one);
    else if (schemaMap.has(keyword) && isObject(json)) Object.values(json).forEach(one);
  }
}
