import { expect, it } from "vitest";
import type { JsonSchema } from "../contract.ts";
import { includes } from "../schema/inclusion.ts";
import type { Components } from "../schema/resolve-reference.ts";
import { diff } from "./diff.ts";
import { documentOf } from "./fixtures/document-of.ts";

const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
const object = (properties: JsonSchema, ...required: readonly string[]): JsonSchema => ({
  type: "object",
  properties,
  required,
});
const text: JsonSchema = { type: "string" };
const closed = (schema: JsonSchema): JsonSchema => ({ ...schema, unevaluatedProperties: false });

/** What is told of the edits of one answer that break someone, each once. */
function edits(base: JsonSchema, head: JsonSchema, before: Components, after: Components): readonly string[] {
  const changes = diff(documentOf("response", base, before), documentOf("response", head, after), {
    includes: (one, other) => includes(one, other, "names"),
    extent: "document",
  });
  const breaking = changes.filter(({ verdict }) => verdict === "breaking");
  return [...new Set(breaking.map(({ message }) => message.split(": ")[0] ?? ""))];
}

const payment = closed(object({ id: text, from: text }, "id", "from"));
const withMethods = object({ id: text, from: text, methods: text }, "id", "from", "methods");
const outline = object({ amount: text, server: text }, "server");

it("tells alternatives in place of one component as one edit, whatever follows from it", () => {
  const components = { WithMethods: withMethods, Outline: outline };
  const union = { anyOf: [ref("WithMethods"), ref("Outline")] };
  expect(edits(ref("Payment"), union, { Payment: payment }, components)).toEqual([
    "alternatives `WithMethods`, `Outline` in place of one schema in the 200 answer",
  ]);
});

it("tells that its alternatives are objects as nothing beside them", () => {
  const components = { WithMethods: withMethods, Outline: outline };
  const union = { type: "object", oneOf: [ref("WithMethods"), ref("Outline")] };
  expect(edits(payment, union, {}, components)).toEqual([
    "alternatives `WithMethods`, `Outline` in place of one schema in the 200 answer",
  ]);
});

it("tells that a member may be missing by itself, where its component became alternatives", () => {
  const components = { WithMethods: withMethods, Outline: outline };
  const union = { type: "object", oneOf: [ref("WithMethods"), ref("Outline")] };
  const [old, now] = [object({ by: ref("By") }, "by"), object({ by: ref("By") })];
  expect(edits(old, now, { ...components, By: payment }, { ...components, By: union })).toEqual([
    "property `by` made optional in the 200 answer at /by",
    "alternatives `WithMethods`, `Outline` in place of one schema in the 200 answer at /by",
  ]);
});

it.each<[what: string, JsonSchema, JsonSchema, string]>([
  ["another component", ref("Payment"), ref("Outline"), "schema `Outline` in place of `Payment`"],
  [
    "alternatives",
    ref("Payment"),
    { type: "object", oneOf: [ref("WithMethods"), ref("Outline")] },
    "alternatives `WithMethods`, `Outline` in place of one schema",
  ],
])("tells that a member may be missing by itself, where %s stands in its place", (_, before, after, swapped) => {
  const components = { WithMethods: withMethods, Outline: outline, Payment: payment };
  const [old, now] = [object({ by: before }, "by"), object({ by: after })];
  expect(edits(old, now, components, components)).toEqual([
    "property `by` made optional in the 200 answer at /by",
    `${swapped} in the 200 answer at /by`,
  ]);
});

it("tells a member that comes to an object which is open anew by itself, and what else may come by another value", () => {
  expect(edits(ref("Payment"), ref("WithMethods"), { Payment: payment }, { WithMethods: withMethods })).toEqual([
    "required property `methods` added in the 200 answer",
    "other properties admitted in the 200 answer at /*",
  ]);
});

it("tells of an alternative beside one component once, though it lists other values of a member that it may lack", () => {
  const kind = (...values: readonly string[]): JsonSchema => ({ type: "string", enum: [...values] });
  const feature = object({ type: kind("Feature"), id: text }, "type", "id");
  const other: JsonSchema = { title: "Other", ...object({ type: kind("Other"), id: text }, "id") };
  expect(edits(ref("Feature"), { oneOf: [ref("Feature"), other] }, { Feature: feature }, { Feature: feature })).toEqual(
    ["alternative `Other` added in the 200 answer"],
  );
});

const tag = (value: string): JsonSchema => object({ code: { const: value }, why: text }, "code");
const factor = {
  oneOf: [closed(object({ user: text, secret: text }, "user", "secret")), closed(object({ user: text }, "user"))],
};

it.each<[told: string, base: JsonSchema, head: JsonSchema]>([
  [
    'alternatives `{"code":"b"}`, `{"code":"c"}` added in the 200 answer',
    { oneOf: [tag("a"), tag("z")] },
    { oneOf: [tag("a"), tag("z"), tag("b"), tag("c")] },
  ],
  [
    "alternatives `{user, secret}`, `{user}` in place of one schema in the 200 answer at /factor",
    object({ factor: closed(object({ name: text }, "name")) }),
    object({ factor }),
  ],
  [
    "one schema in place of alternatives `{user, secret}`, `{user}` in the 200 answer at /factor",
    object({ factor }),
    ref("Whole"),
  ],
])("calls alternatives by what tells them apart: %s", (told, base, head) => {
  const components = { Whole: object({ factor: closed(object({ name: text }, "name")) }) };
  expect(edits(base, head, components, components)).toEqual([told]);
});
