import { expect, it } from "vitest";
import { includes, type Reading } from "../inclusion.ts";
import type { JsonSchema } from "../json-schema.ts";

const object = (properties: JsonSchema, ...required: readonly string[]): JsonSchema => ({
  type: "object",
  properties,
  required,
});
const text: JsonSchema = { type: "string" };
const number: JsonSchema = { type: "number" };
const oneOf = (...branches: readonly JsonSchema[]): JsonSchema => ({ oneOf: branches });
const [rgb, rgba] = [object({ r: number }, "r"), object({ r: number, a: number }, "r", "a")];
/** Nothing tells them apart, and nothing has to be there. */
const error = (name: string, more: JsonSchema = {}): JsonSchema =>
  object({ name: { enum: [name] }, details: { type: "array" }, ...more });
const [full, limited] = [object({ id: text, mail: text }, "id"), object({ id: text, limited: text }, "id", "limited")];
const also = (schema: JsonSchema, name: string, member: JsonSchema): JsonSchema => ({
  ...schema,
  properties: Object.assign({}, schema.properties, { [name]: member }),
});

it.each<readonly [name: string, reading: Reading, one: JsonSchema, other: JsonSchema, is: string]>([
  ["one more, of another type", "letter", oneOf(rgb, rgba), oneOf(rgb, rgba, { type: "null" }), "included"],
  ["in another order", "letter", oneOf(rgb, rgba), oneOf({ type: "null" }, rgba, rgb), "included"],
  ["beside what all have", "letter", { ...oneOf(rgb, rgba), minProperties: 3 }, oneOf(rgba, rgb), "included"],
  ["one wider", "letter", oneOf(rgb, { ...rgba, maxProperties: 3 }), oneOf(rgb, rgba), "not-included"],
  [
    "one that refuses less, of which another refuses all that is new",
    "letter",
    oneOf(object({ kind: { enum: ["a"] } }, "kind"), object({ kind: { enum: ["a", "b"] }, b: text }, "kind", "b")),
    oneOf(object({ kind: { enum: ["a"] } }, "kind"), object({ kind: { enum: ["a", "b", "c"] }, b: text }, "kind", "b")),
    "included",
  ],
  [
    "a member that one of them lost",
    "names",
    oneOf(error("a"), error("b"), error("c")),
    oneOf(error("a", { link: text }), error("b"), error("c", { link: text })),
    "included",
  ],
  [
    "a member that one of them got",
    "names",
    oneOf(error("a", { link: text }), error("b")),
    oneOf(error("a"), error("b")),
    "included",
  ],
  ["a member that one got", "names", oneOf(also(full, "seat", number), limited), oneOf(full, limited), "included"],
  [
    "the same where others may have it too",
    "letter",
    oneOf(also(full, "seat", number), limited),
    oneOf(full, limited),
    "unknown",
  ],
  ["one gone, whose values another has", "names", oneOf(rgb, rgba), oneOf(rgb), "included"],
  [
    "two that are now both of one value",
    "letter",
    oneOf(full, text),
    oneOf(full, object({ id: text }), text),
    "not-included",
  ],
])("compares alternatives that nothing tells apart one by one: %s (%s)", (_, reading, one, other, is) => {
  const sided = (schema: JsonSchema) => ({ schema, components: {} });
  expect(includes(sided(one), sided(other), reading).kind).toBe(is);
});
