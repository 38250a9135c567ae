import { expect, it } from "vitest";
import type { JsonSchema } from "../contract.ts";
import { includes } from "../schema/inclusion.ts";
import { diff } from "./diff.ts";
import { documentOf } from "./fixtures/document-of.ts";

const text: JsonSchema = { type: "string" };
const object = (properties: JsonSchema, more: JsonSchema = {}): JsonSchema => ({ type: "object", properties, ...more });
const closed = { additionalProperties: false };

it.each<[string, "request" | "response", JsonSchema, JsonSchema, readonly string[]]>([
  [
    "refused anew beside a member that comes",
    "request",
    object({ a: text }, { additionalProperties: true }),
    object({ a: text, b: text }, closed),
    ["other properties refused in the request body at /*"],
  ],
  [
    "admitted anew beside members that come and go",
    "response",
    object({ a: text, m: text }, { ...closed, required: ["m"] }),
    object({ a: text, b: text, m: text }, { required: ["a"] }),
    [
      "other properties admitted in the 200 answer at /*",
      "optional property `b` added in the 200 answer",
      "property `m` made optional in the 200 answer at /m",
    ],
  ],
  [
    "of a map that is none any more",
    "response",
    { type: "object", additionalProperties: text },
    object({ a: text }),
    ['additionalProperties {"type":"string"} removed in the 200 answer at /*'],
  ],
  [
    "or none: a member of the one alternative that there was",
    "response",
    { type: "object", oneOf: [object({ a: { type: "string", maxLength: 3 } }), text] },
    object({ a: text }),
    ["maxLength 3 removed in the 200 answer at /a"],
  ],
])("other members %s", (_, direction, base, head, headlines) => {
  const changes = diff(documentOf(direction, base), documentOf(direction, head), {
    includes: (one, other) => includes(one, other, "names"),
    extent: "document",
  });
  const told = changes
    .filter(({ verdict }) => verdict === "breaking")
    .map(({ message }) => message.slice(0, message.lastIndexOf(": ")))
    .map((message) => message.split(": the schema")[0]);
  expect(told.toSorted()).toEqual([...headlines].sort());
});

it.each<["names" | "letter", string]>([
  ["names", "risky"],
  ["letter", "breaking"],
])("members that nobody has named, refused anew by the reading by %s: %s", (reading, verdict) => {
  const changes = diff(documentOf("request", object({ a: text })), documentOf("request", object({ a: text }, closed)), {
    includes: (one, other) => includes(one, other, reading),
    extent: "document",
    reading,
  });
  expect(changes).toMatchObject([{ id: "unnamed-members-refused", verdict, edit: { after: [false] } }]);
  expect(changes[0]?.message).toContain("nothing was said of members that nobody has named");
});
