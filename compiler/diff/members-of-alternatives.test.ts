import { expect, it } from "vitest";
import type { JsonSchema } from "../contract.ts";
import { includes } from "../schema/inclusion.ts";
import { diff } from "./diff.ts";
import { documentOf } from "./fixtures/document-of.ts";

const tagged = (kind: string, properties: JsonSchema = {}): JsonSchema => ({
  type: "object",
  properties: { kind: { const: kind }, ...properties },
  required: ["kind"],
});
const object = (name: string): JsonSchema => ({ type: "object", properties: { [name]: {} }, required: [name] });
const text: JsonSchema = { type: "string" };
const readOnly: JsonSchema = { ...text, readOnly: true };
const a = tagged("a", { name: text });
const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

type Components = Readonly<Record<string, JsonSchema>>;
type Case = readonly [
  name: string,
  base: JsonSchema,
  head: JsonSchema,
  ids: readonly string[],
  components?: Components,
  headComponents?: Components,
];

const cases: readonly Case[] = [
  [
    "read-only, and new in an alternative, is no change for who sends",
    { oneOf: [a, tagged("b")] },
    { oneOf: [a, tagged("b", { name: readOnly })] },
    [],
  ],
  [
    "deprecated, and new in an alternative, is new and no more",
    { oneOf: [a, tagged("b")] },
    { oneOf: [a, tagged("b", { name: { ...text, deprecated: true } })] },
    ["request-property-added"],
  ],
  [
    "made read-only where it was",
    { oneOf: [a, tagged("b", { name: text })] },
    { oneOf: [a, tagged("b", { name: readOnly })] },
    ["made-read-only"],
  ],
  [
    "made read-only in one alternative, and new in another",
    { oneOf: [a, tagged("b")] },
    { oneOf: [tagged("a", { name: readOnly }), tagged("b", { name: readOnly })] },
    ["made-read-only"],
  ],
  [
    "made read-only in an alternative that nothing but its order tells from others, and that has another now",
    { oneOf: [{ type: "object", properties: { name: text }, required: ["name"] }, object("b")] },
    { oneOf: [object("c"), { type: "object", properties: { name: readOnly }, required: ["name"] }, object("b")] },
    ["made-read-only"],
  ],
  [
    "beside a union, where it was, and now in an alternative too",
    { properties: { name: text }, oneOf: [tagged("a"), tagged("b")] },
    { properties: { name: text }, oneOf: [tagged("a"), tagged("b", { name: readOnly })] },
    ["made-read-only"],
  ],
  [
    "in a part that every object has, where another part had it",
    { allOf: [{ properties: { name: text } }, tagged("b")] },
    { allOf: [{ properties: { name: text } }, tagged("b", { name: readOnly })] },
    ["made-read-only"],
  ],
  [
    "shared by an alternative that has another name now, and new in one that has not",
    { oneOf: [ref("Old"), ref("B")] },
    { oneOf: [ref("New"), ref("B")] },
    ["made-read-only"],
    { Old: { allOf: [tagged("a"), ref("Shared")] }, B: tagged("b"), Shared: { properties: { name: text } } },
    {
      New: { allOf: [tagged("a"), ref("Shared")] },
      B: { allOf: [tagged("b"), ref("Shared")] },
      Shared: { properties: { name: readOnly } },
    },
  ],
  [
    "of one of two alternatives that share a tag stays what it is, whatever comes into the other or stands beside them",
    { oneOf: [tagged("a", { name: text }), tagged("a", { size: text })] },
    { oneOf: [tagged("a", { size: text }), tagged("a", { name: text, extra: text })] },
    ["request-property-added"],
  ],
];

it.each(cases.map((one) => [one[0], one] as const))("a member %s", (_, one) => {
  const [, base, head, ids, components = {}, headComponents = components] = one;
  const found = diff(documentOf("request", base, components), documentOf("request", head, headComponents), {
    includes: (inner, outer) => includes(inner, outer, "names"),
    extent: "document",
  });
  // Of what is admitted and demanded other tests tell.
  expect(found.map(({ id }) => id).filter((id) => !/^(?:request-body|required|alternatives)-/.test(id))).toEqual(ids);
});
