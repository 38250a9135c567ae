import { openEnum } from "../../spec/vocabulary/extensions.ts";
import type { Json, JsonSchema } from "../contract.ts";
import type { Edit } from "../diff/change.ts";
import { isAnnotation, isKnown, mapSubschemas } from "../schema/keywords.ts";
import { isList, isObject, jsonTypes } from "../schema/schema-node.ts";
import { portablePattern } from "./portable-pattern.ts";

/** Begins the name of a keyword that is kept for comparison though nobody can apply it. */
export const unreadPrefix = "x-unread-";

/** Keeps a reference of a schema that leads nowhere. */
export const unreadReference = `${unreadPrefix}$ref`;

/** Keeps the type of a reference to a schema of another type, where nothing counts beside a reference. */
export const unreadType = `${unreadPrefix}type`;

/** Keeps which references of an operation lead nowhere, by its part, and which paths of a document can't be read for that. */
export const unreadParts = `${unreadPrefix}parts`;
export const unreadPaths = `${unreadPrefix}paths`;

/** Keeps the security of an operation that asks for scopes where there are none. */
export const unreadSecurity = `${unreadPrefix}security`;

/** Marks an operation whose request body counts for nothing. */
export const unreadBody = `${unreadPrefix}body`;

/**
 * Stands for a `nullable` of OpenAPI 3.0 without the `type` that it needs, and for one of OpenAPI 3.1, which has none: by the
 * letter it says nothing.
 */
export const nullableAlone = "x-nullable-alone";

export type Dialect = "3.0" | "3.1";

/** That of a document which says so; null for any other version. */
export function dialectOf(version: Json): Dialect | null {
  const found = /^3\.([01])(\.|$)/.exec(String(version));
  return found === null ? null : found[1] === "0" ? "3.0" : "3.1";
}

/**
 * What a keyword that differs between two schemas is called in the documents, the likeliest first: in OpenAPI 3.0 that
 * null comes or goes is said by `nullable`, beside the types.
 */
export function writtenAs({ keyword, before, after }: Pick<Edit, "keyword" | "before" | "after">): readonly string[] {
  const isOfNull = keyword === "type" && [before, after].filter((types) => types.includes("null")).length === 1;
  const others = [before, after].map((types) => types.filter((type) => type !== "null").join(" "));
  if (keyword === "oneOf" || keyword === "anyOf")
    return [keyword, ...["oneOf", "anyOf"].filter((one) => one !== keyword)];
  if (keyword === nullableAlone || (isOfNull && others[0] === others[1])) return ["nullable", keyword];
  return [keyword.startsWith(unreadPrefix) ? keyword.slice(unreadPrefix.length) : keyword];
}

/**
 * A schema of an OpenAPI document as JSON Schema 2020-12. What a validator could not apply (an unknown keyword, a
 * pattern that is no regular expression, a malformed bound) refuses nothing, and is kept as `x-unread-…`.
 */
export function toJsonSchema(schema: JsonSchema, dialect: Dialect): JsonSchema {
  const translated = withNamesOnce(withOpenEnum(dialect === "3.0" ? fromOpenApi30(schema) : fromOpenApi31(schema)));
  const readable = Object.fromEntries(
    Object.entries(withPortablePatterns(translated)).flatMap(
      ([keyword, json]): readonly (readonly [string, Json])[] => {
        if (isAnnotation(keyword) || isUsable(keyword, json)) return [[keyword, json]];
        return readInPart(keyword, json) ?? [[`${unreadPrefix}${keyword}`, json]];
      },
    ),
  );
  return mapSubschemas(readable, (inner) => toJsonSchema(inner, dialect));
}

/** Of named schemas those that are some, and the others kept unread; null where there are none of one kind. */
function readInPart(keyword: string, json: Json): readonly (readonly [string, Json])[] | null {
  if (shapes[keyword] !== isSchemaMap || !isObject(json)) return null;
  const members = Object.entries(json);
  const readable = members.filter(([, member]) => isSchema(member));
  if (readable.length === 0) return null;
  return [
    [keyword, Object.fromEntries(readable)],
    [`${unreadPrefix}${keyword}`, Object.fromEntries(members.filter(([, member]) => !isSchema(member)))],
  ];
}

/** OpenAPI 3.0: a reference stands alone, exclusive bounds are flags, null is a flag beside a type. */
function fromOpenApi30(schema: JsonSchema): JsonSchema {
  const alone = schema.nullable === true && typeof schema.type !== "string" ? { [nullableAlone]: true } : {};
  if (typeof schema.$ref === "string") {
    const type = schema[unreadType];
    return { $ref: schema.$ref, ...alone, ...(type === undefined ? {} : { [unreadType]: type }) };
  }
  const { nullable, exclusiveMinimum, exclusiveMaximum, minimum, maximum, ...rest } = schema;
  return {
    ...rest,
    ...alone,
    ...(nullable === true && typeof rest.type === "string" ? { type: [rest.type, "null"] } : {}),
    ...bound("minimum", "exclusiveMinimum", minimum, exclusiveMinimum),
    ...bound("maximum", "exclusiveMaximum", maximum, exclusiveMaximum),
  };
}

function bound(inclusive: string, exclusive: string, value: Json | undefined, flag: Json | undefined): JsonSchema {
  const isExclusive = flag === true && value !== undefined;
  return {
    ...(value === undefined ? {} : { [isExclusive ? exclusive : inclusive]: value }),
    ...(flag === undefined || typeof flag === "boolean" ? {} : { [exclusive]: flag }),
  };
}

/** OpenAPI 3.1: `nullable` is no keyword any more, though many write it. */
const fromOpenApi31 = ({ nullable, ...rest }: JsonSchema): JsonSchema =>
  nullable === true ? { ...rest, [nullableAlone]: true } : rest;

/** What others write for an enum that later versions may extend: a list of its own, or a flag beside `enum`. */
function withOpenEnum(schema: JsonSchema): JsonSchema {
  const { "x-extensible-enum": listed, "x-ms-enum": named } = schema;
  if (isList(listed) && listed.length > 0 && schema.enum === undefined) {
    return { ...schema, enum: listed, [openEnum]: true };
  }
  const isOpen = isObject(named) && named.modelAsString === true;
  return isOpen && schema.enum !== undefined ? { ...schema, [openEnum]: true } : schema;
}

/** A name or type that is listed twice, which no schema may, is one. */
function withNamesOnce(schema: JsonSchema): JsonSchema {
  const { type, required } = schema;
  return {
    ...schema,
    ...(isList(type) ? { type: [...new Set(type)] } : {}),
    ...(isList(required) ? { required: [...new Set(required)] } : {}),
  };
}

const isCount = (json: Json): boolean => typeof json === "number" && Number.isInteger(json) && json >= 0;
const isNumber = (json: Json): boolean => typeof json === "number";
const isTexts = (json: Json): boolean => isList(json) && json.every((item) => typeof item === "string");
const isSchema = (json: Json): boolean => isObject(json) || typeof json === "boolean";
const isSchemas = (json: Json): boolean => isList(json) && json.length > 0 && json.every(isSchema);
const isSchemaMap = (json: Json): boolean => isObject(json) && Object.values(json).every(isSchema);
const types: ReadonlySet<Json> = new Set([...jsonTypes, "integer"]);

const shapes: Readonly<Record<string, (json: Json) => boolean>> = {
  type: (json) => types.has(json) || (isList(json) && json.length > 0 && json.every((type) => types.has(type))),
  enum: (json) => isList(json) && json.length > 0,
  pattern: (json) => typeof json === "string" && isPattern(json),
  format: (json) => typeof json === "string",
  $ref: (json) => typeof json === "string",
  multipleOf: (json) => typeof json === "number" && json > 0,
  required: isTexts,
  uniqueItems: (json) => typeof json === "boolean",
  dependentRequired: (json) => isObject(json) && Object.values(json).every(isTexts),
  patternProperties: (json) => isSchemaMap(json) && isObject(json) && Object.keys(json).every(isPattern),
  ...forEach(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"], isNumber),
  ...forEach(["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"], isCount),
  ...forEach(["minContains", "maxContains"], isCount),
  ...forEach(["allOf", "anyOf", "oneOf", "prefixItems"], isSchemas),
  ...forEach(["properties", "dependentSchemas", "$defs"], isSchemaMap),
  ...forEach(["not", "if", "then", "else", "items", "contains", "unevaluatedItems"], isSchema),
  ...forEach(["additionalProperties", "propertyNames", "unevaluatedProperties"], isSchema),
};

function forEach(
  keywords: readonly string[],
  is: (json: Json) => boolean,
): Readonly<Record<string, (json: Json) => boolean>> {
  return Object.fromEntries(keywords.map((keyword) => [keyword, is]));
}

/**
 * Why a keyword that is kept unread says nothing by the letter, though its author meant something: one that is known has a value
 * that it cannot have, such as a `type` of `float`, or no vocabulary has it. Null where it says something to other tools: a
 * pattern that can't be read here may be one to another engine.
 */
export function slipOf(unread: string): "malformed" | "unknown" | null {
  const keyword = unread.slice(unreadPrefix.length);
  if (keyword === "pattern" || keyword === "patternProperties" || ofOtherTools.has(keyword)) return null;
  return isKnown(keyword) ? "malformed" : "unknown";
}

/** Keywords of some version of JSON Schema that are not applied here. */
const ofOtherTools: ReadonlySet<string> = new Set([
  ...["$id", "id", "$anchor", "$dynamicAnchor", "$dynamicRef", "$recursiveAnchor", "$recursiveRef", "$vocabulary"],
  ...["definitions", "dependencies", "additionalItems", "divisibleBy", "disallow", "extends"],
]);

const isUsable = (keyword: string, json: Json): boolean =>
  isKnown(keyword) && !["$schema"].includes(keyword) && (shapes[keyword]?.(json) ?? true);

const isPattern = (text: string): boolean => portablePattern(text) !== null;

/** The schema with its patterns as validators read them; those that can't be read stay. */
function withPortablePatterns(schema: JsonSchema): JsonSchema {
  const { pattern, patternProperties } = schema;
  return {
    ...schema,
    ...(typeof pattern === "string" ? { pattern: portablePattern(pattern) ?? pattern } : {}),
    ...(isObject(patternProperties)
      ? {
          patternProperties: Object.fromEntries(
            Object.entries(patternProperties).map(([key, member]) => [portablePattern(key) ?? key, member]),
          ),
        }
      : {}),
  };
}
