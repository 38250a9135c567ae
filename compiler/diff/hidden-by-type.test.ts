import { expect, it } from "vitest";
import type { JsonSchema } from "../contract.ts";
import { includes } from "../schema/inclusion.ts";
import { diff } from "./diff.ts";
import { documentOf } from "./fixtures/document-of.ts";

const object = (status: JsonSchema): JsonSchema => ({ type: "object", required: ["status"], properties: { status } });
const words: JsonSchema = { type: "string", enum: ["new", "old"] };

/** The edits that break someone, each with a value that shows it. */
function breaking(direction: "request" | "response", base: JsonSchema, head: JsonSchema): readonly unknown[] {
  const options = { includes, extent: "document" } as const;
  return diff(documentOf(direction, object(base)), documentOf(direction, object(head)), options)
    .filter(({ verdict }) => verdict === "breaking")
    .map(({ edit, evidence }) => [edit.keyword, evidence?.kind === "value" && typeof evidence.value]);
}

const shown = (...keywords: readonly string[]) => keywords.map((keyword) => [keyword, "object"]);

it("reports an enum that goes from a response when null comes", () => {
  expect(breaking("response", words, { type: ["string", "null"] })).toEqual(shown("type", "enum"));
});

it("reports a bound that goes from a response when another type comes", () => {
  expect(breaking("response", { type: "string", maxLength: 3 }, { type: ["string", "integer"] })).toEqual(
    shown("type", "maxLength"),
  );
});

it("reports an enum that comes to a request when null goes", () => {
  expect(breaking("request", { type: ["string", "null"] }, words)).toEqual(shown("type", "enum"));
});

it("reports the type alone if nothing else of its values differs", () => {
  expect(breaking("response", words, { type: ["string", "null"], enum: ["new", "old", null] })).toHaveLength(1);
  expect(breaking("response", { type: "string" }, { type: "integer", minimum: 1 })).toEqual(shown("type"));
  expect(breaking("request", { type: "string" }, { type: "integer", maximum: 9 })).toEqual(shown("type"));
});
