import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryOf } from "./arbitrary.ts";
import { NoValueFound } from "./bounded-filter.ts";
import { components, plainSchemas, unionSchemas } from "./fixtures/keyword-schemas.ts";
import { randomSchema } from "./fixtures/random-schema.ts";
import type { Json, JsonSchema } from "./json-schema.ts";
import { isList, isObject } from "./schema-node.ts";
import { encodesToItself } from "./survives-json.ts";
import { validatorFor } from "./validator.ts";

const seed = 20260101;
const sample = (schema: JsonSchema, numRuns = 200): readonly Json[] =>
  fc.sample(arbitraryOf(schema, components), { numRuns, seed });
const strings = (schema: JsonSchema, numRuns = 200): readonly string[] =>
  sample(schema, numRuns).filter((v) => typeof v === "string");

describe("arbitraryOf", () => {
  it.each([...plainSchemas, ...unionSchemas])("yields only valid values that survive JSON: $name", ({ schema }) => {
    const violations = validatorFor(components).compile(schema);
    for (const value of sample(schema)) {
      expect(violations(value), JSON.stringify(value)).toEqual([]);
      expect(encodesToItself(value), JSON.stringify(value)).toBe(true);
    }
  });

  it("yields only valid values of random schemas, or says that it finds none", () => {
    let generated = 0;
    const property = fc.property(randomSchema, fc.nat(), (schema, inner) => {
      const arbitrary = orNull(() => arbitraryOf(schema, components));
      if (arbitrary === null) return;
      const violations = validatorFor(components).compile(schema);
      const values = fc.sample(arbitrary, { numRuns: 5, seed: inner });
      for (const value of values) expect(violations(value), JSON.stringify(value)).toEqual([]);
      generated += values.length;
    });
    fc.assert(property, { seed, numRuns: 100 });
    expect(generated).toBeGreaterThan(200);
  });

  it("keeps values valid while they shrink", () => {
    const schema = { $ref: "#/components/schemas/CreateApiKeyRequest" };
    const accepts = validatorFor(components).accepts(schema);
    const seen: Json[] = [];
    const property = fc.property(arbitraryOf(schema, components), (value) => {
      seen.push(value);
      return isObject(value) && isList(value.scopes) && value.scopes.length < 2;
    });
    const result = fc.check(property, { seed });
    expect(result.numShrinks).toBeGreaterThan(3);
    expect(seen.filter((value) => !accepts(value))).toEqual([]);
    expect(JSON.stringify(result.counterexample).length).toBeLessThan(60);
  });

  it("counts lengths in code points and reaches both bounds", () => {
    const lengths = strings({ type: "string", minLength: 3, maxLength: 6 }).map((text) => [...text].length);
    expect(new Set(lengths)).toEqual(new Set([3, 4, 5, 6]));
    expect(strings({ type: "string", minLength: 3, maxLength: 6 }).some((text) => text.length > 6)).toBe(true);
  });

  it("reaches a far upper bound of a length, of a number of items and of a number", () => {
    expect(strings({ type: "string", maxLength: 100 }).some((text) => [...text].length === 100)).toBe(true);
    expect(sample({ type: "array", maxItems: 20 }).some((value) => isList(value) && value.length === 20)).toBe(true);
    const numbers = sample({ type: "integer", minimum: -1_000_000, maximum: 1_000_000 });
    expect(numbers).toContain(-1_000_000);
    expect(numbers).toContain(1_000_000);
  });

  it("yields hostile texts, but never half a surrogate pair", () => {
    const texts = strings({ type: "string" }, 2000);
    const all = texts.join("");
    for (const hostile of ['"', "\\", "\0", "\n", "\u202e", "א", "🎉", "\u2028", "'"]) expect(all).toContain(hostile);
    expect(texts).toContain("__proto__");
    expect(texts.every((text) => text.isWellFormed())).toBe(true);
  });

  it("puts characters beyond ASCII into texts of a pattern that allows them", () => {
    const texts = strings({ $ref: "#/components/schemas/ScopeName" });
    expect(texts.filter((text) => /[^ -~]/u.test(text)).length).toBeGreaterThan(20);
  });

  it("leaves optional members out and puts them in", () => {
    const values = sample({ type: "object", properties: { a: { type: "null" } } });
    expect(values).toContainEqual({});
    expect(values).toContainEqual({ a: null });
  });

  it("adds members that nobody has declared only where the schema speaks of others, or when asked", () => {
    const schema: JsonSchema = { type: "object", properties: { a: { type: "null" } } };
    const names = (values: readonly Json[]): Set<string> =>
      new Set(values.flatMap((v) => (isObject(v) ? Object.keys(v) : [])));
    expect(names(sample(schema))).toEqual(new Set(["a"]));
    expect(names(sample({ ...schema, additionalProperties: true })).size).toBeGreaterThan(10);
    const asked = fc.sample(arbitraryOf(schema, components, { undeclaredMembers: true }), { numRuns: 100, seed });
    expect(names(asked).size).toBeGreaterThan(10);
  });

  it("goes into recursive schemas as deep as it is allowed", () => {
    const depth = (value: Json): number => {
      if (!isObject(value) || !isList(value.children)) return 0;
      return 1 + Math.max(0, depth(value.parent ?? null), ...value.children.map(depth));
    };
    const depths = (recursion: number): number[] => {
      const trees = arbitraryOf({ $ref: "#/components/schemas/Tree" }, components, { recursion });
      return fc.sample(trees, { numRuns: 100, seed }).map(depth);
    };
    expect(Math.max(...depths(0))).toBeLessThan(Math.max(...depths(2)));
    expect(Math.min(...depths(2))).toBe(1);
  });

  it.each<[string, JsonSchema]>([
    ["a schema that refuses everything", { not: {} }],
    ["contradictory bounds", { type: "integer", minimum: 3, maximum: 2 }],
    ["an enumeration of the wrong type", { type: "string", enum: [1, 2] }],
    ["contradictory patterns", { type: "string", allOf: [{ pattern: "^a" }, { pattern: "^b" }] }],
    ["a required member that may not be", { type: "object", required: ["a"], properties: { a: false } }],
    [
      "more unique items than there are values",
      { type: "array", items: { type: "null" }, minItems: 2, uniqueItems: true },
    ],
    ["a list that never ends", { $ref: "#/components/schemas/Endless" }],
  ])("says that no value can be found for %s", (_, schema) => {
    const endless: JsonSchema = {
      type: "object",
      required: ["next"],
      properties: { next: { $ref: "#/components/schemas/Endless" } },
    };
    expect(() => arbitraryOf(schema, { Endless: endless })).toThrow(NoValueFound);
  });

  it("tries no text on a pattern that is too long for the schema: some would take for ever", () => {
    const host = "^([a-z]+[a-z-]*(?<!-))(\\.[a-z]+[a-z-]*(?<!-))*$";
    const texts = strings({ type: "string", pattern: host, minLength: 1, maxLength: 20 }, 20);
    expect(texts.filter((text) => text.length > 20)).toEqual([]);
    expect(texts).toHaveLength(20);
  });

  it("passes over alternatives and optional members that nothing satisfies", () => {
    expect(
      new Set(
        sample({
          anyOf: [{ not: {} }, { type: "null" }, { type: "string", allOf: [{ pattern: "^a" }, { pattern: "^b" }] }],
        }),
      ),
    ).toEqual(new Set([null]));
    expect(sample({ type: "object", properties: { a: { not: {} } } })).toContainEqual({});
  });

  it("yields the same values for the same seed", () => {
    const schema = { $ref: "#/components/schemas/CreateApiKeyRequest" };
    expect(sample(schema, 20)).toEqual(sample(schema, 20));
  });
});

function orNull<T>(make: () => T): T | null {
  try {
    return make();
  } catch (error) {
    if (error instanceof NoValueFound) return null;
    throw error;
  }
}
