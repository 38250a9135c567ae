import { describe, expect, it } from "vitest";
import { components } from "./fixtures/keyword-schemas.ts";
import type { Json, JsonSchema } from "./json-schema.ts";
import { UnusableSchema, validatorFor } from "./validator.ts";

const validator = validatorFor(components);
const found = (schema: JsonSchema, value: unknown): string[] =>
  validator
    .compile(schema)(value)
    .map(({ pointer, keyword }) => `${pointer} ${keyword}`);

describe("validatorFor", () => {
  it("finds every violation, with pointer, keyword and message", () => {
    const schema: JsonSchema = { type: "object", properties: { a: { type: "string", minLength: 2, pattern: "^x" } } };
    expect(validator.compile(schema)({ a: "b" })).toEqual([
      { pointer: "/a", keyword: "minLength", message: "must NOT have fewer than 2 characters" },
      { pointer: "/a", keyword: "pattern", message: 'must match pattern "^x"' },
    ]);
    expect(validator.compile(schema)({ a: "xb" })).toEqual([]);
  });

  it("follows references into the components, also recursive ones", () => {
    expect(found({ $ref: "#/components/schemas/CreateApiKeyRequest" }, { scopes: ["a:b", "c"] })).toEqual([
      "/scopes/1 pattern",
    ]);
    const tree = { value: 1, children: [{ value: 2, children: [{ value: "3", children: [] }] }] };
    expect(found({ $ref: "#/components/schemas/Tree" }, tree)).toEqual(["/children/0/children/0/value type"]);
    expect(found({ items: { $ref: "#/components/schemas/Record/properties/id" } }, ["no"])).toEqual(["/0 format"]);
  });

  it.each<[string, JsonSchema, Json, string]>([
    ["a missing member", { required: ["a/b"] }, {}, "/a~1b required"],
    ["a member missing beside another", { dependentRequired: { a: ["b"] } }, { a: 1 }, "/b dependentRequired"],
    ["a member too many", { properties: { a: {} }, additionalProperties: false }, { b: 1 }, "/b additionalProperties"],
    [
      "an unevaluated member",
      { properties: { a: {} }, unevaluatedProperties: false },
      { b: 1 },
      "/b unevaluatedProperties",
    ],
    ["a member of a wrong name", { propertyNames: { pattern: "^a" } }, { b: 1 }, "/b propertyNames"],
  ])("points at %s itself", (_, schema, value, expected) => {
    expect(found(schema, value)).toEqual([expected]);
  });

  it("takes inherited names for what they are: not there", () => {
    expect(found({ required: ["constructor"], properties: { toString: { type: "string" } } }, {})).toEqual([
      "/constructor required",
    ]);
  });

  it("compares objects with members of any names", () => {
    expect(found({ uniqueItems: true }, [{ valueOf: 1 }, { valueOf: 1 }])).toEqual([" uniqueItems"]);
    expect(found({ enum: [{ toString: 1, a: 2 }] }, { a: 2, toString: 1 })).toEqual([]);
    expect(found({ const: {} }, { valueOf: {} })).toEqual([" const"]);
  });

  it("counts characters as code points", () => {
    expect(found({ type: "string", maxLength: 2 }, "🎉🎉")).toEqual([]);
  });

  it("sees multiples in decimals", () => {
    expect(found({ multipleOf: 0.01 }, 0.07)).toEqual([]);
    expect(found({ multipleOf: 2 }, 1e-30)).toEqual([" multipleOf"]);
  });

  it("finds items that must be contained missing from an empty list", () => {
    const schema: JsonSchema = { prefixItems: [{}], contains: { type: "object" }, minContains: 2 };
    expect(found(schema, [])).toEqual([" contains"]);
    expect(validator.accepts(schema)([])).toBe(false);
  });

  it.each<[string, readonly string[], readonly string[]]>([
    [
      "uuid",
      ["0197b1f0-7c3e-7c7e-8f00-00000000000a", "0197B1F0-7C3E-7C7E-8F00-00000000000A"],
      ["urn:uuid:0197b1f0-7c3e-7c7e-8f00-00000000000a", "0197b1f07c3e7c7e8f0000000000000a"],
    ],
    [
      "date-time",
      ["2026-01-31T23:59:59Z", "2026-01-31t23:59:59.123456+05:30"],
      ["2026-01-31 23:59:59Z", "2026-01-31T23:59:59", "2026-01-31T23:59:59+05", "2026-02-30T00:00:00Z"],
    ],
    ["date", ["2024-02-29"], ["2023-02-29", "2024-2-9"]],
    ["uri", ["https://example.com/a?b#c", "urn:a:b"], ["example.com", "/a", "http://a b"]],
    ["email", ["a@example.com"], ["a", "a@", "@example.com"]],
  ])("checks format %s to the letter", (format, good, bad) => {
    for (const text of good) expect(found({ format }, text), text).toEqual([]);
    for (const text of bad) expect(found({ format }, text), text).toEqual([" format"]);
  });

  it("knows the number formats of OpenAPI", () => {
    expect(found({ format: "int32" }, 2 ** 31)).toEqual([" format"]);
    expect(found({ format: "int32" }, -(2 ** 31))).toEqual([]);
    expect(found({ format: "int64" }, 2 ** 63)).toEqual([" format"]);
    expect(found({ format: "int64" }, 2 ** 62)).toEqual([]);
    expect(found({ type: "number" }, Number.NaN)).toEqual([" type"]);
  });

  it("passes over annotations and what OpenAPI adds", () => {
    const schema: JsonSchema = {
      ...{
        title: "T",
        example: 1,
        examples: [1],
        xml: { name: "x" },
        externalDocs: {},
        readOnly: true,
        "x-any": { $ref: "#" },
      },
      ...{ oneOf: [{ type: "object", "x-inner": 1 }], discriminator: { propertyName: "kind" } },
    };
    expect(found(schema, {})).toEqual([]);
  });

  it("admits null where OpenAPI's nullable says so", () => {
    expect(found({ type: "string", nullable: true }, null)).toEqual([]);
  });

  it.each<[string, JsonSchema, RegExp]>([
    [
      "an unknown keyword",
      { properties: { a: { minLenght: 1 } } },
      /Unknown keyword "minLenght" in the schema, properties\. Correct it/,
    ],
    ["an unknown format", { format: "uid" }, /Unknown format "uid" in the schema/],
    ["a malformed keyword", { minLength: "3" }, /This schema can't be used: .*minLength/],
    ["an invalid pattern", { pattern: "(" }, /This schema can't be used: .*Invalid regular expression/],
    ["a reference to nothing", { $ref: "#/components/schemas/Missing" }, /can't be used: .*Missing/],
  ])("refuses %s", (_, schema, message) => {
    expect(() => validator.compile(schema)).toThrow(UnusableSchema);
    expect(() => validator.compile(schema)).toThrow(message);
  });

  it("names the component that is unusable", () => {
    expect(() => validatorFor({ Broken: { items: { typ: "string" } } }).compile({})).toThrow(
      'Unknown keyword "typ" in component Broken, items.',
    );
  });

  it("gives equal components the same validator", () => {
    expect(validatorFor(components)).toBe(validator);
  });

  describe("of many components", () => {
    const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
    const numbered = Array.from({ length: 520 }, (_, index) => index);
    const many = validatorFor({
      ...Object.fromEntries(numbered.map((index) => [`Part${index}`, { type: "object", required: [`a${index}`] }])),
      ...{ Named: { properties: { a: {} } }, Twice: { allOf: [ref("Named")], properties: { b: { maxLength: 1 } } } },
    });
    const keywords = (schema: JsonSchema, value: Json): readonly string[] =>
      many
        .compile(schema)(value)
        .map(({ pointer, keyword }) => `${pointer} ${keyword}`);

    it("goes on when the compiled ones of before are let go, and those that somebody holds still work", () => {
      const held = many.compile({ items: ref("Part0") });
      for (const index of numbered) {
        expect(keywords(ref(`Part${index}`), {})).toEqual([`/a${index} required`]);
        expect(keywords(ref(`Part${index}`), { [`a${index}`]: 1 })).toEqual([]);
      }
      expect(held([{}]).map(({ pointer }) => pointer)).toEqual(["/0/a0"]);
      expect(keywords(ref("Twice/properties/b"), "ab")).toEqual([" maxLength"]);
      expect(() => many.compile(ref("Gone"))({})).toThrow(/Gone/);
    });

    it("knows what components of components speak of", () => {
      expect(keywords({ ...ref("Twice"), unevaluatedProperties: false }, { a: 1, b: "b", c: 1 })).toEqual([
        "/c unevaluatedProperties",
      ]);
    });
  });

  it("sees data that looks like a schema as data", () => {
    expect(found({ const: { $ref: "#/nowhere", "x-a": 1 } }, { $ref: "#/nowhere", "x-a": 1 })).toEqual([]);
  });
});
