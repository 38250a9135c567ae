import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../contract.ts";
import { includes } from "../schema/inclusion.ts";
import type { Components } from "../schema/resolve-reference.ts";
import { diff } from "./diff.ts";
import { documentOf } from "./fixtures/document-of.ts";

const start = "/paths/~1things/post/requestBody/content/application~1json/schema";
const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
const object = (properties: JsonSchema, ...required: readonly string[]): JsonSchema => ({
  type: "object",
  properties,
  required,
});
const text = (maxLength: number): JsonSchema => ({ type: "string", maxLength });

/** Where a request is narrowed, and what its value breaks there. */
function narrowings(
  base: JsonSchema,
  head: JsonSchema,
  components: Components = {},
  after = components,
): readonly (readonly [place: string, keyword: string])[] {
  const changes = diff(documentOf("request", base, components), documentOf("request", head, after), {
    includes,
    extent: "document",
  });
  return changes
    .filter(({ id }) => id === "request-body-narrowed")
    .map(({ pointer, evidence }) => [
      pointer.slice(start.length),
      evidence?.kind === "value" ? evidence.keyword : (evidence?.kind ?? "none"),
    ]);
}

describe("several narrowings of one body", () => {
  it("are each told at their own place, with a value that breaks nothing else", () => {
    const base = object({ a: text(9), b: object({ c: { type: "integer" }, d: text(9) }), e: { enum: ["x", "y"] } });
    const head = object(
      { a: text(8), b: object({ c: { type: "integer", minimum: 0 }, d: text(9) }), e: { enum: ["x"] } },
      "e",
    );
    expect(narrowings(base, head)).toEqual([
      ["/e", "required"],
      ["/e", "enum"],
      ["/a", "maxLength"],
      ["/b/c", "minimum"],
    ]);
  });

  it("are told when none of them can be shown alone", () => {
    const base = object({ a: text(9), b: text(9) }, "a", "b");
    const head = object({ a: { type: "integer" }, b: { type: "boolean" } }, "a", "b");
    expect(narrowings(base, head)).toEqual([
      ["/a", "type"],
      ["/b", "type"],
    ]);
  });

  it("are told by each keyword where several places are refused whatever the value", () => {
    const base = object({ a: { type: "integer" }, b: { type: "integer" } });
    const head = object({ a: { type: "string" }, b: { type: "string" } }, "a", "b");
    const all = ["/a", "/b"].flatMap((place) => ["required", "type"].map((keyword) => [place, keyword]));
    expect(narrowings(base, head)).toEqual(expect.arrayContaining(all));
    expect(narrowings(ref("Both"), ref("Both"), { Both: base }, { Both: head })).toEqual(expect.arrayContaining(all));
    expect(narrowings(head, base)).toEqual([
      ["/a", "type"],
      ["/b", "type"],
    ]);
  });

  it("in items and undeclared members stand at one place whatever the value", () => {
    const base = object({
      list: { type: "array", items: object({ a: text(9) }) },
      map: { additionalProperties: text(9) },
    });
    const head = object({
      list: { type: "array", items: object({ a: text(8) }) },
      map: { additionalProperties: text(8) },
    });
    expect(narrowings(base, head).map(([place]) => place)).toEqual(["/map/*", "/list/*/a"]);
  });

  it("that come from one component are told where it is used first", () => {
    const body = object({ home: ref("Address"), work: { type: "array", items: ref("Address") } });
    const address = (length: number): Components => ({ Address: object({ city: text(length), zip: text(length) }) });
    expect(narrowings(body, body, address(9), address(8)).map(([place]) => place)).toEqual(["/home/city", "/home/zip"]);
  });

  it("in alternatives that a tag tells apart are told inside of them", () => {
    const union = (length: number): JsonSchema => ({
      oneOf: ["a", "b", "c"].map((kind) =>
        object({ kind: { const: kind }, [`of_${kind}`]: text(kind === "b" ? length : 9) }, "kind"),
      ),
    });
    expect(narrowings(union(9), union(5))).toEqual([["/of_b", "maxLength"]]);
  });

  it.each([
    ["named", true],
    ["in place", false],
  ])("in several alternatives are each told of its own, though they stand at one place: %s", (_, isNamed) => {
    const alternatives = (lengths: readonly number[]): Components =>
      Object.fromEntries(
        lengths.map((length, index) => [
          `Of${index}`,
          object({ kind: { const: `k${index}` }, data: text(length) }, "kind"),
        ]),
      );
    const body = (components: Components): JsonSchema => ({
      type: "array",
      items: { oneOf: isNamed ? Object.keys(components).map(ref) : Object.values(components) },
    });
    const [before, after] = [alternatives([9, 9, 9, 9]), alternatives([9, 5, 9, 4])];
    const changes = diff(
      documentOf("request", body(before), isNamed ? before : {}),
      documentOf("request", body(after), isNamed ? after : {}),
      { includes, extent: "document" },
    );
    expect(
      changes.map(({ edit: { at, after: bound }, evidence }) => [
        at.slice(at.lastIndexOf("/", at.length - "/properties/data".length - 1)),
        bound,
        evidence?.kind === "value" ? evidence.value : null,
      ]),
    ).toEqual([
      [`/${isNamed ? "Of1" : "1"}/properties/data`, [5], [{ data: "aaaaaa", kind: "k1" }]],
      [`/${isNamed ? "Of3" : "3"}/properties/data`, [4], [{ data: "aaaaa", kind: "k3" }]],
    ]);
  });

  it("by two keywords at one place are both told where one value shows each alone", () => {
    const base = { type: ["string", "null"], maxLength: 9 };
    expect(narrowings(object({ a: base }), object({ a: { type: "string", maxLength: 9 } }, "a"))).toEqual([
      ["/a", "required"],
      ["/a", "type"],
    ]);
    const list = { list: { type: "array", items: ref("Thing") } };
    expect(
      narrowings(object(list), object(list), { Thing: object({ a: base }) }, { Thing: object({ a: text(8) }, "a") }),
    ).toEqual([
      ["/list/*/a", "required"],
      ["/list/*/a", "type"],
      ["/list/*/a", "maxLength"],
    ]);
  });

  it.each<[string, JsonSchema]>([
    ["ids of any kind", { type: "string", format: "snowflake" }],
    ["ids in digits", { type: "string", pattern: "^(0|[1-9][0-9]*)$" }],
    ["UUIDs", { type: "string", format: "uuid" }],
    ["numbers", { type: "integer", minimum: 3 }],
    ["objects", object({ id: { type: "string" } }, "id")],
  ])("by two bounds of a list without repetitions are both told: of %s", (_, items) => {
    const list = (bounds: JsonSchema): JsonSchema =>
      object({ a: { type: "array", items, uniqueItems: true, ...bounds } });
    expect(narrowings(list({ maxItems: 1521 }), list({ minItems: 2, maxItems: 100 }))).toEqual([
      ["/a", "minItems"],
      ["/a", "maxItems"],
    ]);
    expect(narrowings(list({ minItems: 2, maxItems: 100 }), list({ maxItems: 1521 }))).toEqual([]);
  });

  it("by two bounds are both told where values show one of them only", () => {
    // No text of more than three letters has the new pattern, and those of fewer all do.
    const base = object({ a: { type: "string", pattern: "^[a-z]*$", maxLength: 9 } });
    const head = object({ a: { type: "string", pattern: "^(?=a?)[a-y]{0,3}$", maxLength: 5 } });
    expect(narrowings(base, head)).toEqual([
      ["/a", "maxLength"],
      ["/a", "unproven"],
    ]);
  });

  it("by two keywords that refuse the same values are told once", () => {
    const base = object({ a: { type: ["string", "null"], enum: ["x", null] } });
    expect(narrowings(base, object({ a: { type: "string", enum: ["x"] } }))).toHaveLength(1);
  });

  it("of which one cannot be decided tell so beside the others", () => {
    const base = object({ a: text(9), b: { type: "string", pattern: "^(?=x)y*$" } });
    const head = object({ a: text(8), b: { type: "string", pattern: "^(?=x)z*$" } });
    const [[shown], ...others] = [narrowings(base, head)];
    expect(shown).toEqual(["/a", "maxLength"]);
    expect(others).toEqual([]);
    expect(narrowings(base, head).map(([place]) => place)).toEqual(["/a", "/b"]);
  });
});
