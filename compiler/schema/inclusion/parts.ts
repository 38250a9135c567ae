import type { JsonSchema } from "../json-schema.ts";
import type { JsonType } from "../schema-node.ts";
import type { Doubt } from "./doubt.ts";
import type { Left } from "./left.ts";

/** A part that asks for nothing but what it refers to, or has in `allOf`. */
export const isOnlyWrapper = (part: JsonSchema): boolean =>
  (part.$ref !== undefined || part.allOf !== undefined) && Object.keys(part).length === 1;

/**
 * Whether one of the two asks for other things where a member has another value: else taking the values of a member
 * one by one proves nothing more, and of several members they multiply.
 */
export const isDividedByMembers = ({ views }: Left, part: JsonSchema): boolean =>
  [part, ...views].some((schema) => dividing.some((keyword) => schema[keyword] !== undefined));

const dividing = ["anyOf", "oneOf", "not", "if", "dependentSchemas", "enum", "const"];

export const isReference = (schema: JsonSchema): boolean =>
  schema.$ref !== undefined && Object.keys(schema).length === 1;

export const isUnfinished = (doubts: readonly Doubt[]): boolean => doubts.some((each) => each.isUnfinished === true);

export const speaksOfUnevaluated = ({ type }: Left, schema: JsonSchema): boolean =>
  (type === "array" && schema.unevaluatedItems !== undefined) ||
  (type === "object" && schema.unevaluatedProperties !== undefined);

/** What the rules of a type find; nothing for types that have none. */
export function byType<T>(
  type: JsonType,
  rules: { readonly [name in "string" | "number" | "array" | "object"]: () => readonly T[] },
): readonly T[] {
  switch (type) {
    case "string":
    case "number":
    case "array":
    case "object":
      return rules[type]();
    case "integer":
      return rules.number();
    case "null":
    case "boolean":
      return [];
  }
}
