import type { JsonSchema } from "../../compiler/contract.ts";
import { changeIds } from "../../compiler/diff/change-table.ts";
import { bumps } from "./version-advice.ts";

const text: JsonSchema = { type: "string" };
const count: JsonSchema = { type: "integer", minimum: 0 };
const textOrNull: JsonSchema = { type: ["string", "null"] };
const lineOrNull: JsonSchema = { type: ["integer", "null"], minimum: 1 };
const values: JsonSchema = { type: "array" };
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

const verdict: JsonSchema = { enum: ["breaking", "risky", "safe"] };

const texts: JsonSchema = { type: "array", items: text };

const edit = object({
  at: described(
    text,
    "JSON Pointer to what was edited: of a schema into the service's document, through the named schema that holds it.",
  ),
  keyword: described(
    text,
    "The schema's keyword that differs, properties for a member that came or went; else the id.",
  ),
  before: described(values, "What stands there no longer; empty where nothing did."),
  after: described(values, "What stands there instead."),
});

const fingerprint = described(text, "Of the edit, wherever it was made; another edit has another.");

const decision = {
  reason: text,
  owner: text,
  expires: described({ type: "string", format: "date" }, "The last day on which it holds, in UTC."),
  where: described(text, "file:line:column of the entry."),
};

const acceptance = {
  fingerprint,
  ids: described({ type: "array", items: { enum: changeIds } }, "The kinds of changes that are accepted."),
  at: described(texts, "Where the edit was made, as JSON Pointers."),
  keyword: text,
  from: described(values, "The values before the edit."),
  to: described(values, "The values after it."),
  ...decision,
};

const orNull = (schema: JsonSchema, description: string): JsonSchema => ({
  description,
  oneOf: [{ type: "null" }, schema],
});

const sourceLine: JsonSchema = {
  oneOf: [{ type: "null" }, object({ file: text, line: { type: "integer", minimum: 1 }, text })],
};

const change = object({
  id: { enum: changeIds },
  direction: { enum: ["request", "response", "neutral"] },
  area: text,
  verdict: described(verdict, "What counts: bylaw's own verdict, or the project's."),
  service: { type: "string" },
  operation: described(textOrNull, "Method and path."),
  pointer: described(
    text,
    "JSON Pointer into the head's contract, or into the base's for what was removed; list items go by their names.",
  ),
  edit: described(edit, "What the author did; changes with one edit follow from it."),
  fingerprint,
  lines: described(
    object({ base: sourceLine, head: sourceLine }),
    "The lines of the documents in which what was edited stands.",
  ),
  place: { oneOf: [{ type: "null" }, object({ side, file: text, line: lineOrNull, column: lineOrNull })] },
  message: described(text, "What changed, who breaks and why."),
  rules: { type: "array", items: text, description: "Ids of the rules that speak about what changed." },
  evidence,
  override: orNull(
    object({ from: verdict, reason: textOrNull, where: text }),
    "Null where the verdict is bylaw's own; else what that is, and who says otherwise.",
  ),
  acceptance: orNull(
    object({ ...decision, expired: { type: "boolean" } }),
    "The decision of the acceptance that is about the change; an expired one does not count.",
  ),
  checks: described(
    { type: ["array", "null"], items: text },
    "Ids of the kit's checks that decide the touched rules; null when the kit can't be read.",
  ),
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
    reading: described(
      { enum: ["names", "letter"] },
      "How objects that are not closed were read: by the names in their schemas, or by the letter (--strict).",
    ),
    failOn: { enum: ["breaking", "risky", "none"] },
    exitCode: { enum: [0, 1] },
    failures: { type: "array", items: text, description: "Why the exit code is 1, in sentences." },
    counts: object({ breaking: count, risky: count, safe: count }),
    version: object({
      base: text,
      head: text,
      needed: described({ enum: bumps }, "What the changes ask for."),
      suggested: described(textOrNull, "The smallest version that is enough; null when the base's is no SemVer."),
      enough: described({ type: ["boolean", "null"] }, "Of the head's version; null when that can't be told."),
    }),
    findings: described(
      {
        type: "array",
        items: object({ subject: text, verdict, message: text, changes: { type: "array", items: count } }),
      },
      "The edits, each once by its gravest verdict; changes are indexes into the list of changes, the one to show first.",
    ),
    changes: { type: "array", items: change },
    unread: described({ type: "array", items: text }, "What could not be read of either side, so was not compared."),
    staleAcceptances: described(
      {
        type: "array",
        items: object({
          ...acceptance,
          merged: described({ type: "boolean" }, "Whether the base has the entry as well."),
          missing: described(texts, "Those of its places at which the edit was not made."),
          found: described({ type: "array", items: edit }, "Edits that were made there instead."),
        }),
      },
      "Of edits that were not made; they fail.",
    ),
    mergedAcceptances: described(
      {
        type: "array",
        items: object({
          ...acceptance,
          repeated: described({ type: "boolean" }, "Whether the same edit is made once more."),
        }),
      },
      "The base has them as well, so they accept nothing; to be removed.",
    ),
  }),
};
