import { describe, expect, it } from "vitest";
import { components } from "./fixtures/keyword-schemas.ts";
import { flatten } from "./flatten.ts";
import type { JsonSchema } from "./json-schema.ts";
import { UnresolvedReference } from "./resolve-reference.ts";

const flat = (schema: JsonSchema): JsonSchema => flatten(schema, components).schema;

describe("flatten", () => {
  it("resolves its own level only, and says what it followed", () => {
    expect(flatten({ $ref: "#/components/schemas/Record" }, components)).toEqual({
      schema: { type: "object", required: ["id"], properties: { id: { $ref: "#/components/schemas/Uuid" } } },
      references: ["#/components/schemas/Record"],
    });
  });

  it("merges what stands beside a reference", () => {
    expect(flat({ $ref: "#/components/schemas/ScopeName", maxLength: 9, description: "d" })).toEqual({
      type: "string",
      pattern: "^[^:]+:[^:]+$",
      maxLength: 9,
    });
  });

  it("leaves references to kept components where they are", () => {
    const { schema, references } = flatten({ $ref: "#/components/schemas/Tree", minProperties: 2 }, components, {
      keep: new Set(["Tree"]),
    });
    expect(schema).toEqual({ $ref: "#/components/schemas/Tree", minProperties: 2 });
    expect(references).toEqual([]);
  });

  it.each<[string, JsonSchema, JsonSchema]>([
    [
      "types meet",
      { allOf: [{ type: ["number", "null"] }, { type: ["integer", "null", "string"] }] },
      { type: ["null", "integer"] },
    ],
    ["values meet", { allOf: [{ enum: [1, 2, 3] }, { enum: [3, 2] }] }, { enum: [2, 3] }],
    ["no value in common is nothing", { allOf: [{ const: 1 }, { const: 2 }] }, { not: {} }],
    [
      "the greater lower bound and the lesser upper bound stay",
      {
        allOf: [
          { minimum: 1, maximum: 5 },
          { minimum: 2, maximum: 9 },
        ],
      },
      { minimum: 2, maximum: 5 },
    ],
    [
      "multiples of both are multiples of their least common one",
      { allOf: [{ multipleOf: 4 }, { multipleOf: 6 }] },
      { multipleOf: 12 },
    ],
    [
      "multiples of fractions stand apart",
      { allOf: [{ multipleOf: 0.5 }, { multipleOf: 0.2 }] },
      { multipleOf: 0.5, allOf: [{ multipleOf: 0.2 }] },
    ],
    [
      "two patterns stand apart",
      { pattern: "b", allOf: [{ pattern: "a" }] },
      { pattern: "a", allOf: [{ pattern: "b" }] },
    ],
    [
      "two unions stand apart",
      { anyOf: [{ minLength: 1 }], allOf: [{ anyOf: [{ maxLength: 2 }] }] },
      { anyOf: [{ maxLength: 2 }], allOf: [{ anyOf: [{ minLength: 1 }] }] },
    ],
    [
      "counted items stand apart from other counted items",
      { allOf: [{ contains: { const: 1 } }, { contains: { const: 2 }, maxContains: 3 }] },
      { contains: { const: 1 }, allOf: [{ contains: { const: 2 }, maxContains: 3 }] },
    ],
    [
      "names required by one or the other are required",
      { allOf: [{ required: ["b"] }, { required: ["a", "b"] }] },
      { required: ["a", "b"] },
    ],
    [
      "items and first items meet place by place",
      { allOf: [{ prefixItems: [{ minimum: 1 }], items: { type: "integer" } }, { items: { maximum: 9 } }] },
      {
        prefixItems: [{ allOf: [{ minimum: 1 }, { maximum: 9 }] }],
        items: { allOf: [{ type: "integer" }, { maximum: 9 }] },
      },
    ],
    [
      "a member that one declares and the other closes out can't be",
      { allOf: [{ properties: { a: {} }, additionalProperties: false }, { properties: { b: { type: "string" } } }] },
      { properties: { a: {}, b: { not: {} } }, additionalProperties: false },
    ],
    [
      "what is unevaluated beside all parents is so after them",
      { allOf: [{ properties: { a: {} } }, { properties: { b: {} } }], unevaluatedProperties: false },
      { properties: { a: {}, b: {} }, unevaluatedProperties: false },
    ],
    [
      "what is unevaluated inside one parent closes that parent alone",
      { allOf: [{ properties: { a: {} }, unevaluatedProperties: false }, { properties: { b: {} } }] },
      { properties: { a: {}, b: { not: {} } }, additionalProperties: false },
    ],
    [
      "scalars of different types are one schema",
      { anyOf: [{ type: "string", maxLength: 2 }, { type: "null" }] },
      { type: ["null", "string"], maxLength: 2 },
    ],
    [
      "objects stay alternatives",
      { anyOf: [{ type: "object" }, { type: "null" }] },
      { anyOf: [{ type: "object" }, { type: "null" }] },
    ],
    [
      "scalars of one type stay alternatives",
      { anyOf: [{ minLength: 3 }, { maxLength: 1 }] },
      { anyOf: [{ minLength: 3 }, { maxLength: 1 }] },
    ],
  ])("%s", (_, schema, expected) => {
    expect(flat(schema)).toEqual(expected);
  });

  it("refuses a reference that is nothing but itself", () => {
    const looping = { A: { $ref: "#/components/schemas/B" }, B: { allOf: [{ $ref: "#/components/schemas/A" }] } };
    expect(() => flatten({ $ref: "#/components/schemas/A" }, looping)).toThrow(UnresolvedReference);
  });

  it("follows a reference twice where it stands twice", () => {
    const twice = {
      allOf: [{ $ref: "#/components/schemas/Uuid" }, { anyOf: [{ $ref: "#/components/schemas/Uuid" }] }],
    };
    expect(flat(twice)).toEqual({ type: "string", format: "uuid" });
  });
});
