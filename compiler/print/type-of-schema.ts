import type { Json, JsonSchema } from "../contract.ts";
import { docComment, propertyKey } from "./literal.ts";

const prefix = "#/components/schemas/";

/** A type expression for a schema, with the component types that it names. */
export interface TypeText {
  readonly text: string;
  readonly names: ReadonlySet<string>;
}

/** The TypeScript type of the values that a schema describes. */
export function typeOfSchema(schema: JsonSchema, indent = ""): TypeText {
  const names = new Set<string>();
  return { text: typeText(schema, indent, names), names };
}

/** The declaration of a component: an interface for an object, an alias for anything else. */
export function declareType(name: string, schema: JsonSchema): TypeText {
  const names = new Set<string>();
  const doc = docComment(text(schema.description));
  if (isPlainObject(schema)) {
    return { text: `${doc}export interface ${name} ${objectText(schema, "", names)}\n`, names };
  }
  return { text: `${doc}export type ${name} = ${typeText(schema, "", names)};\n`, names };
}

const text = (value: Json | undefined): string | undefined => (typeof value === "string" ? value : undefined);
const isSchema = (value: Json | undefined): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const schemas = (value: Json | undefined): JsonSchema[] => (Array.isArray(value) ? value.filter(isSchema) : []);

function isPlainObject(schema: JsonSchema): boolean {
  const combined = ["$ref", "anyOf", "oneOf", "allOf"].some((keyword) => schema[keyword] !== undefined);
  return schema.type === "object" && isSchema(schema.properties) && !combined && !isOpen(schema);
}

/** Whether an object may have members that it does not name, and says of what kind. */
function isOpen(schema: JsonSchema): boolean {
  const rest = schema.additionalProperties ?? schema.unevaluatedProperties;
  return isSchema(rest) && rest.not === undefined;
}

/** What a schema says in several ways at once is an intersection; a part that admits anything adds nothing. */
function typeText(schema: JsonSchema, indent: string, names: Set<string>): string {
  const parts = [
    ...(typeof schema.$ref === "string" ? [referred(schema.$ref, names)] : []),
    ...[schema.anyOf, schema.oneOf].map(schemas).flatMap((alternatives) => {
      return alternatives.length > 0
        ? [
            joined(
              alternatives.map((s) => typeText(s, indent, names)),
              " | ",
            ),
          ]
        : [];
    }),
    ...schemas(schema.allOf).map((s) => typeText(s, indent, names)),
    ownType(schema, indent, names),
  ].filter((part) => part !== "unknown");
  return parts.length === 0 ? "unknown" : joined(parts, " & ");
}

function referred(reference: string, names: Set<string>): string {
  const name = reference.slice(prefix.length);
  names.add(name);
  return name;
}

/** Types that are joined, the members of an intersection in parentheses where they are unions. */
function joined(parts: readonly string[], by: " | " | " & "): string {
  const members = [...new Set(parts)];
  if (members.length === 1 || by === " | ") return members.join(by);
  return members.map((member) => (isUnion(member) ? `(${member})` : member)).join(by);
}

/** A `|` that no bracket holds. */
function isUnion(type: string): boolean {
  const flat = type.replace(/"(\\.|[^"\\])*"/g, '""').replace(/\/\*[\s\S]*?\*\//g, "");
  let depth = 0;
  for (const letter of flat) {
    if ("{(<[".includes(letter)) depth += 1;
    if ("})>]".includes(letter)) depth -= 1;
    if (letter === "|" && depth === 0) return true;
  }
  return false;
}

function ownType(schema: JsonSchema, indent: string, names: Set<string>): string {
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.type)) {
    return schema.type.map((type) => plainType({ ...schema, type }, indent, names)).join(" | ");
  }
  return plainType(schema, indent, names);
}

function plainType(schema: JsonSchema, indent: string, names: Set<string>): string {
  switch (schema.type) {
    case "string":
      return "string";
    case "integer":
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case "null":
      return "null";
    case "array": {
      const item = isSchema(schema.items) ? typeText(schema.items, indent, names) : "unknown";
      return `readonly ${/[|&{]/.test(item) ? `(${item})` : item}[]`;
    }
    case "object":
      return objectText(schema, indent, names);
    default:
      return "unknown";
  }
}

function objectText(schema: JsonSchema, indent: string, names: Set<string>): string {
  const properties = isSchema(schema.properties) ? Object.entries(schema.properties) : [];
  const rest = schema.additionalProperties ?? schema.unevaluatedProperties;
  if (properties.length === 0) {
    return `Readonly<Record<string, ${isSchema(rest) ? typeText(rest, indent, names) : "unknown"}>>`;
  }
  const required = Array.isArray(schema.required) ? schema.required : [];
  const inner = `${indent}  `;
  const lines = properties.map(([key, property]) => {
    if (!isSchema(property)) return "";
    const optional = required.includes(key) ? "" : "?";
    return `${docComment(text(property.description), inner)}${inner}readonly ${propertyKey(key)}${optional}: ${typeText(property, inner, names)};\n`;
  });
  const object = `{\n${lines.join("")}${indent}}`;
  return isOpen(schema) ? `${object} & Readonly<Record<string, unknown>>` : object;
}
