import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../contract.ts";
import { includes } from "../schema/inclusion.ts";
import type { Components } from "../schema/resolve-reference.ts";
import { diff } from "./diff.ts";
import { documentOf } from "./fixtures/document-of.ts";

const text: JsonSchema = { type: "string" };
const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
/** Nothing but the discriminator tells one from another. */
const report = (properties: JsonSchema, more: JsonSchema = {}): JsonSchema => ({
  type: "object",
  required: ["name"],
  properties: { name: text, ...properties },
  ...more,
});
const mapping = { letter: ref("Letter").$ref ?? "", call: "Call" };
const union = (keyword = "oneOf", names = ["Letter", "Call"], more: JsonSchema = { mapping }): JsonSchema => ({
  [keyword]: names.map(ref),
  discriminator: { propertyName: "name", ...more },
});
const free = { Letter: report({ pages: { type: "integer" } }), Call: report({ seconds: { type: "integer" } }) };

function told(
  direction: "request" | "response",
  [base, before]: readonly [JsonSchema, Components],
  [head, after]: readonly [JsonSchema, Components],
): readonly string[] {
  return diff(documentOf(direction, base, before), documentOf(direction, head, after), {
    includes: (one, other) => includes(one, other, "names"),
    ...{ extent: "document", reading: "names" },
  })
    .filter(({ verdict }) => verdict !== "safe")
    .map(({ verdict, message }) => `${verdict} ${message.slice(0, message.lastIndexOf(": "))}`);
}

describe("alternatives that a discriminator alone tells apart", () => {
  const another = { ...free, Letter: report({ pages: text }) };

  it.each(["oneOf", "anyOf"])("are compared each with its own in %s", (keyword) => {
    const [was, is] = [[union(keyword), free] as const, [union(keyword), another] as const];
    expect(told("response", was, is)).toEqual(["breaking type integer → string in the 200 answer at /pages"]);
    expect(told("request", was, is)).toEqual(["breaking type integer → string in the request body at /pages"]);
    expect(told("response", was, was)).toEqual([]);
  });

  it("are told apart by their names where nothing is mapped", () => {
    const named = union("oneOf", ["Letter", "Call"], {});
    expect(told("response", [named, free], [named, another])).toEqual([
      "breaking type integer → string in the 200 answer at /pages",
    ]);
  });

  it("are told apart by the files that a mapping names as by the components that came from them", () => {
    const files = union("oneOf", ["Letter", "Call"], { mapping: { letter: "./Letter.yml", call: "./Call.json" } });
    expect(told("response", [files, free], [union(), free])).toEqual([]);
    expect(told("request", [files, free], [union(), free])).toEqual([]);
    expect(told("response", [files, free], [union(), another])).toEqual([
      "breaking type integer → string in the 200 answer at /pages",
    ]);
  });

  it("tell themselves what tag they have, where they do", () => {
    const own = { Letter: report({ name: { const: "l" } }), Call: report({ name: { const: "c" } }) };
    const wider = { ...own, Call: report({ name: { const: "c" }, seconds: text }) };
    expect(told("response", [union(), own], [union(), wider])).toEqual([]);
    expect(told("response", [union(), wider], [union(), own])).toEqual([
      "risky optional property `seconds` removed in the 200 answer",
    ]);
  });

  it("are told apart though each lists all tags", () => {
    const any = { Name: { type: "string", enum: ["letter", "call"] } };
    const shared = { ...any, Shared: report({ name: ref("Name") }) };
    const of = (pages: JsonSchema): Components => ({
      ...shared,
      Letter: { allOf: [ref("Shared"), { type: "object", properties: { pages } }] },
      Call: { allOf: [ref("Shared"), { type: "object", properties: { seconds: { type: "integer" } } }] },
    });
    expect(told("response", [union(), of({ type: "integer" })], [union(), of(text)])).toEqual([
      "breaking type integer → string in the 200 answer at /pages",
    ]);
  });

  it("are read by the letter where a tag names another alternative now, which is told", () => {
    const renamed = union("oneOf", ["Letter", "Call"], { mapping: { note: "Letter", call: "Call" } });
    expect(told("response", [union(), free], [renamed, free])).toEqual([
      "breaking discriminator name: `letter` is Letter no longer, `note` is Letter now in the 200 answer",
    ]);
  });

  it("are told apart beside one that does not name the property, and whatever other values come to be mapped", () => {
    const more = { Debug: { type: "object", required: ["event"], properties: { event: text } }, Other: report({}) };
    const names = ["Letter", "Call", "Debug"];
    const before = union("oneOf", names, { mapping });
    const after = union("oneOf", names, { mapping: { ...mapping, other: "Other" } });
    const wider = "breaking type integer → string in the 200 answer at /pages";
    expect(told("response", [before, { ...free, ...more }], [before, { ...another, ...more }])).toEqual([wider]);
    expect(told("response", [before, { ...free, ...more }], [after, { ...another, ...more }])).toEqual([
      wider,
      "risky discriminator name: `other` is Other now in the 200 answer",
    ]);
  });

  it("are told apart in a union beside another alternative that differs too", () => {
    const kinds = (...kinds: readonly string[]): JsonSchema => ({ properties: { kind: { enum: [...kinds] } } });
    const [shared, debug] = [report({ name: { enum: ["letter", "call"] } }), { ...report({}), required: ["event"] }];
    const either = { oneOf: [ref("Whole"), ref("Stream")] };
    const stream = { Stream: union("oneOf", ["Letter", "Call", "Debug"]), Shared: shared, Debug: debug };
    const of = (...values: readonly string[]): Components => ({
      ...stream,
      Whole: { required: ["kind", "id"], ...kinds(...values) },
      // It may have what the other alternative demands.
      Letter: { allOf: [ref("Shared"), { type: "object", properties: { inner: kinds(...values), kind: {}, id: {} } }] },
      Call: { allOf: [ref("Shared"), { type: "object", properties: { inner: { type: "object" } } }] },
    });
    const found = told("response", [either, of("a")], [either, of("a", "b")]);
    expect([...new Set(found)]).toEqual([
      "breaking `b` may now be answered in the 200 answer at /kind",
      "breaking `b` may now be answered in the 200 answer at /inner/kind",
    ]);
  });

  it("are read by the letter where two have one tag", () => {
    const nameless = { Letter: { type: "object", additionalProperties: false }, Call: report({}) };
    expect(told("response", [union(), nameless], [union(), nameless])).toEqual([]);
    const same = union("anyOf", ["Letter", "Call"], { mapping: { Call: "Letter" } });
    const numbers = { Letter: report({ a: { type: "integer" } }), Call: report({ a: text }) };
    const texts = { Letter: report({ a: text }), Call: report({ a: { type: "integer" } }) };
    expect(told("request", [same, numbers], [same, texts])).toEqual([]);
  });
});
