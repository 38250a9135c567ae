import { closedPlainly } from "../intersect.ts";
import type { JsonSchema } from "../json-schema.ts";
import { isAnything, without } from "../schema-node.ts";

/** What a schema asks for, each piece by itself: all of them together are the schema. */
export function obligationsOf(schema: JsonSchema): readonly JsonSchema[] {
  const plain = closedPlainly(schema);
  if (plain === null) {
    const rest = without(schema, "unevaluatedProperties", "unevaluatedItems");
    return [...obligationsOf(rest), schema];
  }
  const groups: readonly (readonly string[])[] = [
    ...["$ref", "allOf", "anyOf", "oneOf", "not", "enum", "const", "dependentRequired", "dependentSchemas"].map((k) => [
      k,
    ]),
    ["type"],
    ["if", "then", "else"],
    ["minLength", "maxLength"],
    ["pattern"],
    ["format"],
    ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
    ["prefixItems", "items"],
    ["minItems", "maxItems", "uniqueItems"],
    ["contains", "minContains", "maxContains"],
    ["required"],
    ["properties", "patternProperties", "additionalProperties"],
    ["minProperties", "maxProperties"],
    ["propertyNames"],
  ];
  return groups
    .map((keywords) => Object.fromEntries(Object.entries(plain).filter(([keyword]) => keywords.includes(keyword))))
    .filter((part) => !isAnything(part));
}
