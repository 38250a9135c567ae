import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyJson } from "./arbitrary/any-json.ts";
import { arbitraryOf } from "./arbitrary.ts";
import { NoValueFound } from "./bounded-filter.ts";
import { components, plainSchemas, unionSchemas } from "./fixtures/keyword-schemas.ts";
import { randomSchema } from "./fixtures/random-schema.ts";
import type { Json, JsonSchema } from "./json-schema.ts";
import { normalise } from "./normalise.ts";
import { validatorFor } from "./validator.ts";

const seed = 20260103;
const normal = (schema: JsonSchema): JsonSchema => normalise(schema, components);
const text = (schema: JsonSchema): string => JSON.stringify(normal(schema));

/** Values of a schema, if it has any, and others. */
function values(schema: JsonSchema, numRuns: number): readonly Json[] {
  const small = fc.constantFrom<Json>(
    null,
    true,
    0,
    1,
    2,
    3,
    2.5,
    "",
    "a",
    "ab",
    [],
    [1],
    [1, 1],
    {},
    { a: 1 },
    { b: "a" },
  );
  const others = fc.sample(fc.oneof(anyJson, small), { numRuns, seed });
  try {
    return [...others, ...fc.sample(arbitraryOf(schema, components), { numRuns, seed })];
  } catch (error) {
    if (error instanceof NoValueFound) return others;
    throw error;
  }
}

describe("normalise", () => {
  it.each<[string, JsonSchema, JsonSchema]>([
    [
      "annotations go",
      { type: "string", title: "T", description: "d", default: "a", examples: ["a"], example: "a", "x-note": 1 },
      { type: ["string"] },
    ],
    ["an enumerated description stays", { enum: [{ description: "d" }] }, { enum: [{ description: "d" }] }],
    ["references are resolved", { $ref: "#/components/schemas/Uuid" }, { type: ["string"], format: "uuid" }],
    ["a constant is an enumeration of one", { const: "a" }, { enum: ["a"] }],
    ["values are sorted, and each is there once", { enum: ["b", 1, "a", 1] }, { enum: ["a", "b", 1] }],
    ["values that the rest refuses go", { type: "string", enum: ["a", 1, "abc"], maxLength: 2 }, { enum: ["a"] }],
    ["no value left is false", { type: "string", enum: [1] }, { not: {} }],
    ["an enumeration of null is its type", { enum: [null] }, { type: ["null"] }],
    ["both booleans are their type", { enum: [true, false] }, { type: ["boolean"] }],
    ["nullable is a type", { type: "string", nullable: true }, { type: ["null", "string"] }],
    ["an integer is a number", { type: ["number", "integer", "null"] }, { type: ["null", "number"] }],
    ["all types are no restriction", { type: ["null", "boolean", "number", "string", "array", "object"] }, {}],
    ["keywords of other types go", { type: "integer", minLength: 3, required: ["a"] }, { type: ["integer"] }],
    [
      "keywords that refuse nothing go",
      { minLength: 0, required: [], uniqueItems: false, additionalProperties: true, items: {}, properties: { a: {} } },
      {},
    ],
    [
      "bounds of integers are whole",
      { type: "integer", exclusiveMinimum: 0, maximum: 4.5 },
      { type: ["integer"], minimum: 1, maximum: 4 },
    ],
    [
      "the tighter bound stays",
      { type: "number", minimum: 1, exclusiveMinimum: 1, maximum: 2, exclusiveMaximum: 3 },
      { type: ["number"], exclusiveMinimum: 1, maximum: 2 },
    ],
    ["names are sorted", { required: ["b", "a", "b"] }, { required: ["a", "b"] }],
    [
      "lengths of all parents hold",
      { allOf: [{ type: "string", minLength: 1 }, { minLength: 2, maxLength: 9 }, { maxLength: 5 }] },
      { type: ["string"], minLength: 2, maxLength: 5 },
    ],
    ["parents of different types leave nothing", { allOf: [{ type: "string" }, { type: "integer" }] }, { not: {} }],
    [
      "a property of both parents meets both",
      { allOf: [{ properties: { a: { minimum: 1 } }, required: ["a"] }, { properties: { a: { type: "integer" } } }] },
      { properties: { a: { type: ["integer"], minimum: 1 } }, required: ["a"] },
    ],
    [
      "a parent that is closed closes the other",
      { allOf: [{ properties: { a: {} }, additionalProperties: false }, { properties: { b: {} } }] },
      { properties: { a: {} }, additionalProperties: { not: {} } },
    ],
    [
      "unevaluated members are the additional ones of all parents",
      { allOf: [{ properties: { a: {} } }, { properties: { b: {} } }], unevaluatedProperties: false },
      { properties: { a: {}, b: {} }, additionalProperties: { not: {} } },
    ],
    [
      "patterns of two parents both stand",
      { allOf: [{ pattern: "b" }, { pattern: "a" }] },
      { pattern: "a", allOf: [{ pattern: "b" }] },
    ],
    [
      "a string or null is two types",
      { anyOf: [{ type: "string", format: "date" }, { type: "null" }] },
      { type: ["null", "string"], format: "date" },
    ],
    [
      "one of different types is any of them",
      { oneOf: [{ type: "string" }, { type: "integer", minimum: 1 }] },
      { type: ["integer", "string"], minimum: 1 },
    ],
    [
      "finite alternatives are one enumeration",
      { anyOf: [{ const: "b" }, { enum: ["a"] }, { type: "null" }] },
      { enum: ["a", "b", null] },
    ],
    [
      "equal alternatives are one",
      { anyOf: [{ type: "string", title: "A" }, { type: "string" }] },
      { type: ["string"] },
    ],
    [
      "an alternative that admits all makes the others idle",
      { type: "string", anyOf: [{ minLength: 3 }, {}] },
      { type: ["string"] },
    ],
    ["an alternative that admits nothing goes", { anyOf: [{ not: {} }, { type: "string" }] }, { type: ["string"] }],
    [
      "alternatives are sorted",
      { anyOf: [{ minLength: 3 }, { maxLength: 1 }] },
      { anyOf: [{ maxLength: 1 }, { minLength: 3 }] },
    ],
    [
      "items that repeat what follows them go",
      { prefixItems: [{ type: "string" }], items: { type: "string" } },
      { items: { type: ["string"] } },
    ],
    ["not false is true", { not: { not: {} } }, {}],
    ["a condition without consequence is none", { if: { type: "string" } }, {}],
  ])("%s", (_, schema, expected) => {
    expect(normal(schema)).toEqual(expected);
  });

  it("keeps references to components that contain themselves, and resolves the others in them", () => {
    expect(normal({ $ref: "#/components/schemas/Tree", description: "d" })).toEqual({
      $ref: "#/components/schemas/Tree",
    });
    expect(normal(components.Tree ?? {})).toEqual({
      properties: {
        children: { items: { $ref: "#/components/schemas/Tree" }, type: ["array"] },
        parent: { anyOf: [{ $ref: "#/components/schemas/Tree" }, { type: ["null"] }] },
        value: { type: ["integer"] },
      },
      required: ["children", "value"],
      type: ["object"],
    });
  });

  it("gives one text for schemas that differ in order and annotations only", () => {
    const one: JsonSchema = {
      type: "object",
      properties: { a: { type: "string" }, b: { enum: [1, 2] } },
      required: ["a", "b"],
    };
    const other: JsonSchema = {
      required: ["b", "a"],
      title: "T",
      properties: { b: { enum: [2, 1] }, a: { type: ["string"] } },
      type: ["object"],
    };
    expect(text(one)).toBe(text(other));
  });

  it("gives one text whatever the order of parents and alternatives", () => {
    const parts: JsonSchema[] = [
      { pattern: "^a" },
      { pattern: "z$" },
      { anyOf: [{ minLength: 2 }, { maxLength: 7 }] },
      { not: { const: "az" } },
      { not: { const: "abz" } },
    ];
    const texts = [parts, parts.toReversed(), [...parts.slice(2), ...parts.slice(0, 2)]].map((allOf) =>
      text({ allOf }),
    );
    expect(new Set(texts).size).toBe(1);
  });

  it.each([...plainSchemas, ...unionSchemas])("admits the same values as before: $name", ({ schema }) => {
    const { accepts } = validatorFor(components);
    const [original, canonical] = [accepts(schema), accepts(normal(schema))];
    for (const value of values(schema, 60)) expect(canonical(value), JSON.stringify(value)).toBe(original(value));
    expect(normal(normal(schema))).toEqual(normal(schema));
  });

  it("admits the same values as before, and is normal already the second time, for random schemas", () => {
    const property = fc.property(randomSchema, (schema) => {
      const { accepts } = validatorFor(components);
      const once = normal(schema);
      const [original, canonical] = [accepts(schema), accepts(once)];
      for (const value of values(schema, 20))
        expect(canonical(value), JSON.stringify([value, once])).toBe(original(value));
      expect(normal(once)).toEqual(once);
    });
    fc.assert(property, { seed, numRuns: 80 });
  });
});
