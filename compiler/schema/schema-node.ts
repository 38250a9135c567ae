import type { Json, JsonSchema } from "./json-schema.ts";

/** Typed reads of one schema's own keywords. A keyword of the wrong shape reads as absent. */

export const anything: JsonSchema = {};
export const nothing: JsonSchema = { not: {} };

export const jsonTypes = ["array", "boolean", "null", "number", "object", "string"] as const;
/** `integer` is the part of `number` without a fraction. */
export type JsonType = (typeof jsonTypes)[number] | "integer";

export const isList = (json: Json | undefined): json is readonly Json[] => Array.isArray(json);

export const isObject = (json: Json | undefined): json is { readonly [name: string]: Json } =>
  typeof json === "object" && json !== null && !Array.isArray(json);

/** The schema at a keyword: a boolean becomes its equivalent object. */
export function schemaAt(schema: JsonSchema, keyword: string): JsonSchema | undefined {
  const json = schema[keyword];
  return json === undefined ? undefined : schemaFrom(json);
}

export function schemaFrom(json: Json): JsonSchema {
  if (isObject(json)) return json;
  return json === false ? nothing : anything;
}

export function schemasAt(schema: JsonSchema, keyword: string): readonly JsonSchema[] {
  const json = schema[keyword];
  return isList(json) ? json.map(schemaFrom) : [];
}

/** Schemas by name; `has` and `get` see own members only, whatever the names are. */
export function schemaMapAt(schema: JsonSchema, keyword: string): ReadonlyMap<string, JsonSchema> {
  const json = schema[keyword];
  return new Map(isObject(json) ? Object.entries(json).map(([name, member]) => [name, schemaFrom(member)]) : []);
}

/** One of the schemas by name, as `schemaMapAt` has it. */
export function schemaIn(schema: JsonSchema, keyword: string, name: string): JsonSchema | undefined {
  const json = schema[keyword];
  const member = isObject(json) && Object.hasOwn(json, name) ? json[name] : undefined;
  return member === undefined ? undefined : schemaFrom(member);
}

export function numberAt(schema: JsonSchema, keyword: string): number | undefined {
  const json = schema[keyword];
  return typeof json === "number" ? json : undefined;
}

export function stringAt(schema: JsonSchema, keyword: string): string | undefined {
  const json = schema[keyword];
  return typeof json === "string" ? json : undefined;
}

export function stringsAt(schema: JsonSchema, keyword: string): readonly string[] {
  const json = schema[keyword];
  return isList(json) ? json.filter((item) => typeof item === "string") : [];
}

/** The values of `enum` and `const`, when the schema has either. */
export function enumerated(schema: JsonSchema): readonly Json[] | undefined {
  if (isList(schema.enum)) return schema.enum;
  return schema.const === undefined ? undefined : [schema.const];
}

/** Types that `type` and `nullable` admit, each once; `integer` does not stand beside `number`. */
export function typesOf(schema: JsonSchema): readonly JsonType[] {
  const stated = typeof schema.type === "string" ? [schema.type] : stringsAt(schema, "type");
  if (schema.type === undefined) return jsonTypes;
  const admitted = new Set(schema.nullable === true ? [...stated, "null"] : stated);
  const broad = jsonTypes.filter((type) => admitted.has(type));
  return admitted.has("integer") && !admitted.has("number") ? [...broad, "integer"] : broad;
}

export function typeOf(value: Json): JsonType {
  if (value === null) return "null";
  if (isList(value)) return "array";
  switch (typeof value) {
    case "string":
      return "string";
    case "boolean":
      return "boolean";
    case "number":
      return Number.isInteger(value) ? "integer" : "number";
    default:
      return "object";
  }
}

/** No value satisfies the schema, as far as its face shows. */
export const isNothing = (schema: JsonSchema): boolean => {
  const refused = schemaAt(schema, "not");
  return refused !== undefined && isAnything(refused);
};

export const isAnything = (schema: JsonSchema): boolean => Object.keys(schema).length === 0;

/** The schema without some of its keywords. */
export function without(schema: JsonSchema, ...keywords: readonly string[]): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)));
}

/** The schema with the keywords that are given as defined. */
export function withDefined(schema: JsonSchema, more: { readonly [keyword: string]: Json | undefined }): JsonSchema {
  const defined = Object.entries(more).filter((entry): entry is [string, Json] => entry[1] !== undefined);
  return { ...schema, ...Object.fromEntries(defined) };
}
