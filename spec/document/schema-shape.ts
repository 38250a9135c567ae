import type { Json, JsonSchema, OpenApiDocument } from "../../compiler/contract.ts";

/** The alternatives that a schema stands for, references followed; `null` types stand apart. */
export function alternatives(document: OpenApiDocument, schema: JsonSchema): readonly JsonSchema[] {
  const { $ref, anyOf, oneOf, allOf, ...own } = schema;
  if (typeof $ref === "string") {
    return alternatives(document, target(document, $ref)).map((found) => merge(found, own));
  }
  const choices = schemasIn(anyOf ?? oneOf);
  if (choices.length > 0) {
    return choices.flatMap((choice) => alternatives(document, choice)).map((found) => merge(own, found));
  }
  const parts = schemasIn(allOf);
  if (parts.length > 0) {
    return parts.reduce<readonly JsonSchema[]>(
      (sofar, part) => sofar.flatMap((left) => alternatives(document, part).map((right) => merge(left, right))),
      [own],
    );
  }
  if (Array.isArray(own.type)) return own.type.map((type) => ({ ...own, type }));
  return [own];
}

/** A schema's JSON type, format and nullability in the words of the documents: "string, date-time or null". */
export function shapeOf(document: OpenApiDocument, schema: JsonSchema): string {
  const shapes = new Set(alternatives(document, schema).map((found) => plainShape(document, found)));
  return [...shapes].toSorted((a, b) => Number(a === "null") - Number(b === "null")).join(" or ");
}

/** An object's member by name; null when no alternative of the schema has it. */
export function member(document: OpenApiDocument, schema: JsonSchema, name: string): JsonSchema | null {
  for (const found of objects(document, schema)) {
    const property = asSchema(found.properties)?.[name];
    const declared = asSchema(property);
    if (declared !== null) return declared;
  }
  return null;
}

export function memberNames(document: OpenApiDocument, schema: JsonSchema): readonly string[] {
  const names = objects(document, schema).flatMap((found) => Object.keys(asSchema(found.properties) ?? {}));
  return [...new Set(names)];
}

/** True when every alternative of the schema demands the member. */
export function demands(document: OpenApiDocument, schema: JsonSchema, name: string): boolean {
  return alternatives(document, schema).every(
    (found) => Array.isArray(found.required) && found.required.includes(name),
  );
}

/** The values that a schema is limited to, through `const` or `enum`; null when there is an unlimited alternative. */
export function limitedTo(document: OpenApiDocument, schema: JsonSchema): readonly Json[] | null {
  const values: Json[] = [];
  for (const found of alternatives(document, schema)) {
    if (found.const !== undefined) values.push(found.const);
    else if (Array.isArray(found.enum)) values.push(...found.enum);
    else return null;
  }
  return values;
}

/** Whether a text agrees with the schema's patterns; formats are compared as part of a shape, not here. */
export function admits(document: OpenApiDocument, schema: JsonSchema, text: string): boolean {
  return alternatives(document, schema).some(({ pattern }) => new RegExp(String(pattern ?? ""), "u").test(text));
}

export function asSchema(value: unknown): JsonSchema | null {
  return isSchema(value) ? value : null;
}

function objects(document: OpenApiDocument, schema: JsonSchema): readonly JsonSchema[] {
  return alternatives(document, schema).filter((found) => found.type === "object");
}

function plainShape(document: OpenApiDocument, schema: JsonSchema): string {
  const type = schema.type ?? typeof (schema.const ?? (Array.isArray(schema.enum) ? schema.enum[0] : undefined));
  if (type === "array") return `array of ${shapeOf(document, asSchema(schema.items) ?? {})}`;
  if (type === "object") {
    const values = [schema.additionalProperties, schema.unevaluatedProperties].map(asSchema).find((s) => s !== null);
    return values === undefined || values === null ? "object" : `map of ${shapeOf(document, values)}`;
  }
  // "password" asks a form to hide what is typed; it limits no value.
  if (type === "string" && typeof schema.format === "string" && schema.format !== "password")
    return `string, ${schema.format}`;
  return String(type);
}

function merge(left: JsonSchema, right: JsonSchema): JsonSchema {
  const properties = { ...asSchema(left.properties), ...asSchema(right.properties) };
  const required = [left.required, right.required].flatMap((names) => (Array.isArray(names) ? names : []));
  const both = { ...left, ...right };
  return {
    ...both,
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
  };
}

function target(document: OpenApiDocument, reference: string): JsonSchema {
  const name = reference.replace(/^#\/components\/schemas\//, "");
  const found = document.components.schemas[name];
  if (found === undefined) throw new Error(`The OpenAPI document has no schema for the reference ${reference}.`);
  return found;
}

function schemasIn(value: Json | undefined): readonly JsonSchema[] {
  return Array.isArray(value) ? value.filter(isSchema) : [];
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
