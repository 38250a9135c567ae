import type { Json, JsonSchema, OpenApiDocument } from "../../compiler/contract.ts";
import { validatorFor } from "../../compiler/schema/validator.ts";
import { memberDifferences } from "./differences.ts";
import type { DocumentedField } from "./documented-field.ts";
import { member } from "./schema-shape.ts";

type Values = Pick<DocumentedField, "allowed" | "ruledOut">;

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

/** Allowed values that a schema refuses, and ruled out ones that it admits. */
export function valueDifferences(
  document: OpenApiDocument,
  label: string,
  schema: JsonSchema,
  { allowed = [], ruledOut = [] }: Values,
): readonly string[] {
  const admits = validatorFor(document.components.schemas).accepts(schema);
  return [
    ...allowed.filter((value) => !admits(value)).map((value) => `${label} refuses ${written(value)}`),
    ...ruledOut.filter((value) => admits(value)).map((value) => `${label} admits ${written(value)}`),
  ];
}

/** The beginning of a value that may be long. */
function written(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 80)}… (${text.length} characters)` : text;
}
