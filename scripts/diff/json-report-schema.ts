import type { JsonSchema } from "../../compiler/contract.ts";
import { changeIds } from "../../compiler/diff/change-table.ts";

const text: JsonSchema = { type: "string" };
const count: JsonSchema = { type: "integer", minimum: 0 };
const textOrNull: JsonSchema = { type: ["string", "null"] };
const lineOrNull: JsonSchema = { type: ["integer", "null"], minimum: 1 };
const side: JsonSchema = { enum: ["base", "head"] };

/** Every member is required; a later format may add members, so others are admitted. */
const object = (properties: { readonly [name: string]: JsonSchema }): JsonSchema => ({
  type: "object",
  required: Object.keys(properties),
  properties,
});

const described = (schema: JsonSchema, description: string): JsonSchema => ({ ...schema, description });

const evidence: JsonSchema = {
  description: "Null where nothing narrows by a schema.",
  oneOf: [
    { type: "null" },
    object({
      kind: { const: "value" },
      value: described({}, "Valid on one side and refused on the other."),
      refusedBy: side,
      at: described(text, "JSON Pointer to the part of the value that is refused."),
      keyword: text,
    }),
    object({ kind: { const: "unproven" }, why: described(text, "Why no value can be shown.") }),
  ],
};

const change = object({
  id: { enum: changeIds },
  direction: { enum: ["request", "response", "neutral"] },
  area: text,
  verdict: { enum: ["breaking", "risky", "safe"] },
  service: { enum: ["api", "sandbox"] },
  operation: described(textOrNull, "Method and path."),
  pointer: described(text, "JSON Pointer into the head's contract, or into the base's for what was removed."),
  place: { oneOf: [{ type: "null" }, object({ side, file: text, line: lineOrNull, column: lineOrNull })] },
  message: described(text, "What changed, who breaks and why."),
  rules: { type: "array", items: text, description: "Ids of the rules that speak about what changed." },
  evidence,
});

/** The published schema of the JSON report. */
export const jsonReportSchema: JsonSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Changes between two contracts",
  ...object({
    format: { const: 1 },
    base: text,
    head: text,
    extent: described({ enum: ["contract", "document"] }, "document: only what OpenAPI says was compared."),
    failOn: { enum: ["breaking", "risky", "none"] },
    exitCode: { enum: [0, 1] },
    counts: object({ breaking: count, risky: count, safe: count }),
    changes: { type: "array", items: change },
  }),
};
