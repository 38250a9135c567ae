import { expect, it } from "vitest";
import type { JsonSchema } from "../contract.ts";
import { includes, type Reading } from "../schema/inclusion.ts";
import { diff } from "./diff.ts";
import { documentOf } from "./fixtures/document-of.ts";

const formatted = (format: string): JsonSchema => ({
  type: "object",
  properties: { a: { type: "string", format } },
});

it.each<[Reading, string]>([
  ["names", "risky"],
  ["letter", "breaking"],
])("a format that no validator knows, in place of another one, read by %s: %s", (reading, verdict) => {
  const changes = diff(documentOf("request", formatted("isbn")), documentOf("request", formatted("issn")), {
    includes: (one, other) => includes(one, other, reading),
    ...{ extent: "document", reading },
  });
  expect(changes.map((change) => [change.id, change.verdict])).toEqual([["unknown-format-changed", verdict]]);
  expect(changes[0]?.message).toBe(
    'format "isbn" → "issn" in the request body at /a: no validator knows the format, so it refuses nothing there; a server that does may refuse others.',
  );
});
