import { expect, it } from "vitest";
import type { JsonSchema } from "../contract.ts";
import { includes } from "../schema/inclusion.ts";
import { diff } from "./diff.ts";
import { documentOf } from "./fixtures/document-of.ts";

const closed = (properties: JsonSchema, ...required: readonly string[]): JsonSchema => ({
  ...{ type: "object", properties, required },
  additionalProperties: false,
});
const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
const of = (create: JsonSchema, remove: JsonSchema) => ({
  Action: { type: "string", enum: ["create", "remove"] },
  Mode: { type: "string", enum: ["fail", "skip"] },
  Entity: closed({ id: { type: "string" } }, "id"),
  Create: closed(
    { action: create, onExistence: ref("Mode"), entities: { type: "array", items: ref("Entity") } },
    "action",
    "entities",
  ),
  Remove: closed(
    { action: remove, onLack: ref("Mode"), entities: { type: "array", items: { type: "string" } } },
    "action",
    "entities",
  ),
});
const union: JsonSchema = { type: "array", items: { oneOf: [ref("Create"), ref("Remove")] } };
const loose = of(ref("Action"), ref("Action"));
const tagged = of({ const: "create" }, { const: "remove" });

/** What is told of the bodies of requests, or of answers, that breaks someone. */
const told = (direction: "request" | "response", base: typeof loose, head: typeof loose): ReadonlySet<string> => {
  const changes = diff(documentOf(direction, union, base), documentOf(direction, union, head), {
    includes: (one, other) => includes(one, other, "names"),
    extent: "document",
  });
  const breaking = changes.filter(({ verdict }) => verdict === "breaking");
  return new Set(breaking.map(({ message }) => message.split(": ")[0] ?? ""));
};

it("names the tag that came to tell alternatives apart, and nothing that follows from it", () => {
  expect(told("request", loose, tagged)).toEqual(
    new Set([
      "`remove` is taken no longer in the request body at /*/action",
      "`create` is taken no longer in the request body at /*/action",
    ]),
  );
});

it("names it where answers were told apart by it", () => {
  expect(told("response", tagged, loose)).toEqual(
    new Set([
      "`remove` may now be answered in the 200 answer at /*/action",
      "`create` may now be answered in the 200 answer at /*/action",
    ]),
  );
});

it("tells of neither where it goes from a request or comes to an answer", () => {
  expect([...told("request", tagged, loose), ...told("response", loose, tagged)]).toEqual([]);
});
