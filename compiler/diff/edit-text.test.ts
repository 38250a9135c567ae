import { expect, it } from "vitest";
import type { JsonSchema } from "../contract.ts";
import { includes } from "../schema/inclusion.ts";
import { diff } from "./diff.ts";
import { editText } from "./edit-text.ts";
import { documentOf } from "./fixtures/document-of.ts";

const object = (properties: JsonSchema, ...required: readonly string[]): JsonSchema => ({
  type: "object",
  properties,
  required,
});
const text: JsonSchema = { type: "string" };
const refs = (...names: readonly string[]): JsonSchema => ({
  oneOf: names.map((name) => ({ $ref: `#/components/schemas/${name}` })),
});
const components = {
  ...Object.fromEntries(["Cat", "Dog"].map((name) => [name, object({ kind: { const: name } }, "kind")])),
  Colour: { enum: ["red", "blue"] },
};
const ahead: JsonSchema = { type: "string", pattern: "^(?![0-9])^[a-z]([a-zA-Z0-9-]*[a-zA-Z0-9]+)?$", maxLength: 63 };
const closed = (member: JsonSchema): JsonSchema => ({ ...object({ s: member }), additionalProperties: false });
const colour = { $ref: "#/components/schemas/Colour" };

const tagged = (mapping: JsonSchema): JsonSchema => ({
  ...refs("Cat", "Dog"),
  discriminator: { propertyName: "kind", mapping },
});

const told: readonly (readonly [
  edit: string,
  direction: "request" | "response",
  base: JsonSchema,
  head: JsonSchema,
])[] = [
  [
    "discriminator kind: `dog` is Dog no longer, `hound` is Dog now in the 200 answer",
    "response",
    tagged({ cat: "#/components/schemas/Cat", dog: "#/components/schemas/Dog" }),
    tagged({ cat: "#/components/schemas/Cat", hound: "#/components/schemas/Dog" }),
  ],
  [
    "maximum 10 → 5 in the request body at /n",
    "request",
    object({ n: { maximum: 10 } }),
    object({ n: { maximum: 5 } }),
  ],
  [
    "maxLength 5 added in the request body at /s",
    "request",
    object({ s: text }),
    object({ s: { ...text, maxLength: 5 } }),
  ],
  [
    "type string → integer in the request body at /s",
    "request",
    object({ s: text }),
    object({ s: { type: "integer" } }),
  ],
  [
    "type integer → object in the 200 answer at /s",
    "response",
    closed({ type: "integer" }),
    closed({ $ref: "#/components/schemas/Cat" }),
  ],
  [
    "type object → integer in the request body at /s",
    "request",
    closed({ $ref: "#/components/schemas/Cat" }),
    closed({ type: "integer" }),
  ],
  [
    "`blue` is taken now, `green` is taken no longer in the request body at /s",
    "request",
    object({ s: { enum: ["red", "green"] } }),
    object({ s: colour }),
  ],
  [
    "`green` may now be answered, `blue` is answered no longer in the 200 answer at /s",
    "response",
    object({ s: colour }),
    object({ s: { enum: ["red", "green"] } }),
  ],
  // A value is shown although nobody can make texts of a pattern that looks ahead.
  [
    "maxItems 2 added in the request body at /list",
    "request",
    object({ name: ahead, list: { type: "array" } }, "name"),
    object({ name: ahead, list: { type: "array", maxItems: 2 } }, "name"),
  ],
  [
    'enum ["red"] added in the request body at /s',
    "request",
    object({ s: colour }),
    object({ s: { allOf: [colour], enum: ["red"] } }),
  ],
  [
    '`null` is taken now, "null", "a`b", "c\\nd", " e" are taken no longer in the request body at /s',
    "request",
    object({ s: { enum: ["x", "null", "a`b", "c\nd", " e"] } }),
    object({ s: { enum: ["x", null] } }),
  ],
  [
    "`null` may now be answered in the 200 answer at /s",
    "response",
    object({ s: { anyOf: [text, { type: "integer" }] } }),
    object({ s: { anyOf: [text, { type: "integer" }, { type: "null" }] } }),
  ],
  [
    "`sold` is taken no longer in the request body at /s",
    "request",
    object({ s: { enum: ["new", "sold"] } }),
    object({ s: { enum: ["new"] } }),
  ],
  [
    "`sold` may now be answered in the 200 answer at /s",
    "response",
    object({ s: { enum: ["new"] } }),
    object({ s: { enum: ["new", "sold"] } }),
  ],
  ['enum ["new"] added in the request body at /s', "request", object({ s: text }), object({ s: { enum: ["new"] } })],
  [
    "required property `c` added in the request body",
    "request",
    object({ a: text }),
    object({ a: text, c: text }, "c"),
  ],
  ["property `a` made required in the request body at /a", "request", object({ a: text }), object({ a: text }, "a")],
  ["property `a` made optional in the 200 answer at /a", "response", object({ a: text }, "a"), object({ a: text })],
  [
    "required property `a` removed in the 200 answer",
    "response",
    object({ a: text, b: text }, "a"),
    object({ b: text }),
  ],
  [
    "optional property `b` removed in the request body",
    "request",
    { ...object({ a: text, b: text }), additionalProperties: false },
    { ...object({ a: text }), additionalProperties: false },
  ],
  ["`Dog` is taken no longer in the request body", "request", refs("Cat", "Dog"), refs("Cat")],
  ["`Dog` may now be answered in the 200 answer", "response", refs("Cat"), refs("Cat", "Dog")],
  [
    "`Dog` may now be answered in the 200 answer at /data/*",
    "response",
    object({ data: { type: "array", items: { $ref: "#/components/schemas/Cat" } } }),
    object({ data: { type: "array", items: refs("Cat", "Dog") } }),
  ],
  [
    'alternative `{"const":3}` added in the 200 answer at /a',
    "response",
    object({ a: { anyOf: [{ const: 1 }, { const: 2 }] } }),
    object({ a: { anyOf: [{ const: 1 }, { const: 2 }, { const: 3 }] } }),
  ],
];

it.each(told)("the edit is named: %s", (edit, direction, base, head) => {
  const [first] = diff(documentOf(direction, base, components), documentOf(direction, head, components), {
    includes: (one, other) => includes(one, other, "names"),
    extent: "document",
  });
  expect(first?.verdict).toBe("breaking");
  expect(first?.evidence?.kind).not.toBe("unproven");
  expect(first?.message).toSatisfy((message: string) => message.startsWith(`${edit}: `));
});

it.each([
  [[], ["Dog"], "schema `Dog` in place of its own"],
  [["Cat"], [], "its own schema in place of `Cat`"],
  [["Cat"], ["Dog"], "schema `Dog` in place of `Cat`"],
  [[], [], "the schema changed"],
])("tells that a component stands elsewhere: %j → %j", (before, after, told) => {
  expect(editText({ at: "/properties/pet", keyword: "$ref", before, after }, "request")).toBe(told);
});
