import type { Json, JsonSchema, OpenApiDocument } from "../../compiler/contract.ts";
import { validatorFor } from "../../compiler/schema/validator.ts";
import { differencesOf, memberDifferences } from "./differences.ts";
import type { DocumentedField } from "./documented-field.ts";
import { alternatives, asSchema, limitedTo, member } from "./schema-shape.ts";

type Values = Pick<DocumentedField, "values" | "allowed" | "ruledOut">;

/** How the members of a declared object depart from documented fields; members that are not documented don't count. */
export function fieldDifferences(
  document: OpenApiDocument,
  label: string,
  schema: JsonSchema,
  fields: readonly DocumentedField[],
): readonly string[] {
  return fields.flatMap((fact) => {
    const declared = member(document, schema, fact.name);
    return [
      ...memberDifferences(document, label, schema, fact),
      ...(declared === null ? [] : valueDifferences(document, `${label}: ${fact.name}`, declared, fact)),
    ];
  });
}

/** How a schema is limited to other values than documented; allowed ones that it refuses, ruled out ones that it admits. */
export function valueDifferences(
  document: OpenApiDocument,
  label: string,
  schema: JsonSchema,
  { values, allowed = [], ruledOut = [] }: Values,
): readonly string[] {
  const admits = validatorFor(document.components.schemas).accepts(schema);
  return [
    ...(values === undefined
      ? []
      : differencesOf(limitsOf(document, schema), values.map(written)).map((one) => `${label}: ${one}`)),
    ...allowed.filter((value) => !admits(value)).map((value) => `${label} refuses ${written(value)}`),
    ...ruledOut.filter((value) => admits(value)).map((value) => `${label} admits ${written(value)}`),
  ];
}

/** The values that a schema or its items are limited to, as JSON; none where there is no limit. */
function limitsOf(document: OpenApiDocument, schema: JsonSchema): readonly string[] {
  const limits = alternatives(document, schema).flatMap((one) => limitedTo(document, asSchema(one.items) ?? one) ?? []);
  return limits.map(written);
}

/** The beginning of a value that may be long. */
function written(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 80)}… (${text.length} characters)` : text;
}
