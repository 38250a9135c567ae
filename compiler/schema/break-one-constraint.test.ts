import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NoValueFound } from "./bounded-filter.ts";
import { arbitraryBreaching, type Breach, breaches } from "./break-one-constraint.ts";
import { components, plainSchemas, unionSchemas } from "./fixtures/keyword-schemas.ts";
import { randomSchema } from "./fixtures/random-schema.ts";
import type { Json, JsonSchema } from "./json-schema.ts";
import { isObject } from "./schema-node.ts";
import { encodesToItself } from "./survives-json.ts";
import { type Violation, validatorFor } from "./validator.ts";

const seed = 20260102;
const sample = (breach: Breach, numRuns = 20): readonly Json[] =>
  fc.sample(arbitraryBreaching(breach), { numRuns, seed });

const known = new Map<JsonSchema, readonly Breach[]>();

/** Breaches of a schema of the fixtures, found once. */
function breachesOf(schema: JsonSchema): readonly Breach[] {
  const found = known.get(schema) ?? breaches(schema, components);
  known.set(schema, found);
  return found;
}

const apiKeyRequest: JsonSchema = { $ref: "#/components/schemas/CreateApiKeyRequest" };
const breachOf = (schema: JsonSchema, id: string): Breach => {
  const found = breachesOf(schema).find((breach) => breach.id === id);
  if (!found) throw new Error(`no breach ${id}`);
  return found;
};

/**
 * What a value breaks, apart from what follows of it: a value of the wrong type is not among those enumerated either,
 * and too few of the items to contain means others that are not.
 */
function causes(violations: readonly Violation[]): readonly Violation[] {
  const typed = violations.filter(({ keyword }) => keyword === "type").map(({ pointer }) => pointer);
  const containing = violations.filter(({ keyword }) => keyword === "contains").map(({ pointer }) => pointer);
  return violations
    .filter(({ keyword, pointer }) => !((keyword === "enum" || keyword === "const") && typed.includes(pointer)))
    .filter(({ pointer }) => !containing.some((array) => pointer.startsWith(`${array}/`)));
}

function matches(breach: Breach, violation: Violation): boolean {
  const pattern = breach.pointer.split("/").map((token) => (token === "*" ? "[^/]*" : token.replace(/\W/g, "\\$&")));
  return violation.keyword === breach.keyword && new RegExp(`^${pattern.join("/")}$`, "s").test(violation.pointer);
}

describe("breaches", () => {
  it.each([...plainSchemas, ...unionSchemas])("lists the constraints of: $name", ({ schema, breaches: expected }) => {
    const found = breachesOf(schema).map(({ pointer, keyword }) => `${pointer} ${keyword}`);
    const listed = new Set(found.filter((breach) => !breach.endsWith(" type")));
    for (const breach of expected) expect(listed).toContain(breach);
    if (!unionSchemas.some((union) => union.schema === schema)) expect(listed).toEqual(new Set(expected));
  });

  it("lists every wrong type, a fraction for an integer among them", () => {
    const wrong = (schema: JsonSchema): string[] =>
      breaches(schema, components).flatMap(({ id }) => id.match(/type=(.*)/)?.[1] ?? []);
    expect(wrong({ type: "integer" })).toEqual(["array", "boolean", "null", "number", "object", "string"]);
    expect(wrong({ type: ["number", "null"] })).toEqual(["array", "boolean", "object", "string"]);
  });

  it("gives each breach an id of its own and a readable phrase", () => {
    for (const { schema } of [...plainSchemas, ...unionSchemas]) {
      const ids = breachesOf(schema).map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
    }
    const phrases = breachesOf(apiKeyRequest).map(({ describe }) => describe);
    expect(phrases).toContain("/scopes is missing");
    expect(phrases).toContain("/scopes has fewer than 1 item");
    expect(phrases).toContain("/scopes has an item twice");
    expect(phrases).toContain("/scopes/* does not match ^[^:]+:[^:]+$");
    expect(phrases).toContain("the value is an array");
  });

  it("lists no constraint that can't be broken without another", () => {
    const ids = breaches({ type: "string", enum: ["a", "b"], minLength: 1 }, components).map(({ id }) => id);
    expect(ids).not.toContain("#:minLength");
    expect(ids).toContain("#:enum");
  });
});

describe("arbitraryBreaching", () => {
  it.each(plainSchemas)("yields only values that are invalid for that one reason: $name", ({ schema }) => {
    const violations = validatorFor(components).compile(schema);
    for (const breach of breachesOf(schema)) {
      for (const value of sample(breach)) {
        const found = causes(violations(value));
        expect(found.length, `${breach.id} ${JSON.stringify(value)}`).toBeGreaterThan(0);
        for (const violation of found)
          expect(matches(breach, violation), `${breach.id} ${JSON.stringify([violation, value])}`).toBe(true);
        expect(new Set(found.map(({ pointer }) => pointer)).size, `${breach.id} ${JSON.stringify(value)}`).toBe(1);
        expect(encodesToItself(value)).toBe(true);
      }
    }
  });

  it.each(unionSchemas)("yields only invalid values, valid without the constraint: $name", ({ schema }) => {
    const violations = validatorFor(components).compile(schema);
    for (const breach of breachesOf(schema)) {
      const relaxed = validatorFor(components).compile(breach.recipe.relaxed);
      for (const value of sample(breach)) {
        const found = violations(value);
        expect(found, breach.id).not.toEqual([]);
        expect(relaxed(value), breach.id).toEqual([]);
        if (breach.keyword !== "type")
          expect(
            found.some((violation) => matches(breach, violation)),
            `${breach.id} ${JSON.stringify(value)}`,
          ).toBe(true);
      }
    }
  });

  it("breaks random schemas in that one way too", () => {
    let broken = 0;
    const property = fc.property(randomSchema, fc.nat(), (schema, pick) => {
      const all = breaches(schema, components);
      const breach = all[pick % all.length];
      if (!breach) return;
      const { accepts } = validatorFor(components);
      for (const value of sample(breach, 5)) {
        expect(accepts(schema)(value)).toBe(false);
        expect(accepts(breach.recipe.relaxed)(value)).toBe(true);
        broken++;
      }
    });
    fc.assert(property, { seed, numRuns: 12 });
    expect(broken).toBeGreaterThan(20);
  });

  it.each([
    "#:required=scopes",
    "#/scopes:minItems",
    "#/scopes:uniqueItems",
    "#/scopes/*:pattern",
    "#/label:type=null",
  ])("never shrinks to a valid value, nor to one that breaks something else: %s", (id) => {
    const breach = breachOf(apiKeyRequest, id);
    const violations = validatorFor(components).compile(apiKeyRequest);
    const seen: Json[] = [];
    const property = fc.property(arbitraryBreaching(breach), (value) => {
      seen.push(value);
      return false;
    });
    const result = fc.check(property, { seed, numRuns: 20 });
    expect(result.failed).toBe(true);
    expect(seen.length).toBeGreaterThan(1);
    for (const value of seen) {
      const found = violations(value);
      expect(found).toHaveLength(1);
      expect(found.every((violation) => matches(breach, violation))).toBe(true);
    }
  });

  it("never shrinks a near miss to a hit", () => {
    // Most misses have one wrong character, and all characters shrink to "a".
    const schema: JsonSchema = { type: "string", pattern: "^[a-z]{2,}$" };
    const accepts = validatorFor(components).accepts(schema);
    const seen: Json[] = [];
    const property = fc.property(arbitraryBreaching(breachOf(schema, "#:pattern")), (value) => {
      seen.push(value);
      return typeof value === "string" && value.length < 2;
    });
    for (let run = 0; run < 20; run++) fc.check(property, { seed: run });
    expect(seen.length).toBeGreaterThan(100);
    expect(seen.filter(accepts)).toEqual([]);
  });

  it("shrinks to a small value that still breaks its constraint", () => {
    const shrunk = (id: string): unknown => {
      const property = fc.property(arbitraryBreaching(breachOf(apiKeyRequest, id)), () => false);
      return fc.check(property, { seed }).counterexample?.[0];
    };
    expect(shrunk("#/scopes:minItems")).toEqual({ scopes: [] });
    expect(JSON.stringify(shrunk("#/scopes:uniqueItems"))?.length).toBeLessThan(60);
  });

  it("breaks any of the items, not only the first", () => {
    const violations = validatorFor(components).compile(apiKeyRequest);
    const places = new Set(
      sample(breachOf(apiKeyRequest, "#/scopes/*:pattern"), 100).map((value) => violations(value)[0]?.pointer),
    );
    expect(places.size).toBeGreaterThan(2);
  });

  it("breaks bounds by one, among others", () => {
    const values = (schema: JsonSchema, id: string): readonly Json[] => sample(breachOf(schema, id), 100);
    expect(values({ type: "integer", minimum: 10 }, "#:minimum")).toContain(9);
    expect(values({ type: "integer", maximum: 10 }, "#:maximum")).toContain(11);
    const lengths = (id: string): readonly (number | null)[] =>
      values({ type: "string", minLength: 3, maxLength: 50 }, id).map((text) =>
        typeof text === "string" ? [...text].length : null,
      );
    expect(lengths("#:minLength")).toContain(2);
    expect(lengths("#:maxLength")).toContain(51);
  });

  it("breaks formats and patterns by near misses, among others", () => {
    const uuids = sample(breachOf({ type: "string", format: "uuid" }, "#:format"), 100);
    expect(uuids.some((text) => typeof text === "string" && /^[0-9a-fA-F-]{34,37}$/.test(text))).toBe(true);
    expect(uuids.every((text) => typeof text === "string" && !/^urn:uuid:/i.test(text))).toBe(true);
  });

  it("leaves the rest of a value to be whatever is valid", () => {
    const values = sample(breachOf(apiKeyRequest, "#/scopes:minItems"), 50);
    expect(values.some((value) => isObject(value) && value.label !== undefined)).toBe(true);
    expect(values.some((value) => isObject(value) && value.label === undefined)).toBe(true);
  });

  it("refuses a recipe that nothing satisfies", () => {
    const breach = breachOf({ type: "string", minLength: 2 }, "#:minLength");
    const impossible = { ...breach, recipe: { ...breach.recipe, broken: { not: {} } } };
    expect(() => arbitraryBreaching(impossible)).toThrow(NoValueFound);
  });
});
