import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryOf } from "./arbitrary.ts";
import { NoValueFound } from "./bounded-filter.ts";
import { conditionCases } from "./fixtures/condition-cases.ts";
import { inclusionCases, moreComponents } from "./fixtures/inclusion-cases.ts";
import { components as basicComponents, plainSchemas } from "./fixtures/keyword-schemas.ts";
import { randomSchema } from "./fixtures/random-schema.ts";
import { splitCases } from "./fixtures/split-cases.ts";
import { type Inclusion, includes, type Sided } from "./inclusion.ts";
import type { JsonSchema } from "./json-schema.ts";
import { mapSubschemas } from "./keywords.ts";
import { numberAt, schemaMapAt, stringsAt, without } from "./schema-node.ts";
import { validatorFor } from "./validator.ts";

const seed = 20260102;
const components = { ...basicComponents, ...moreComponents };
const sided = (schema: JsonSchema): Sided => ({ schema, components });
// Of another document, as far as identity goes.
const otherComponents = structuredClone(components);
const judge = (one: JsonSchema, other: JsonSchema): Inclusion =>
  includes(sided(one), { schema: other, components: otherComponents });

/** The verdict, once its value has been tried. */
function verdict(one: JsonSchema, other: JsonSchema): Inclusion["kind"] {
  const result = judge(one, other);
  if (result.kind === "not-included") {
    expect(validatorFor(components).accepts(one)(result.counterexample)).toBe(true);
    expect(validatorFor(otherComponents).accepts(other)(result.counterexample)).toBe(false);
  }
  return result.kind;
}

/** A value of the one that the other refuses, where a search finds one. */
function contradiction(one: JsonSchema, other: JsonSchema): unknown {
  try {
    const values = arbitraryOf(one, components, { undeclaredMembers: true });
    return fc
      .sample(values, { numRuns: 300, seed })
      .find((value) => !validatorFor(otherComponents).accepts(other)(value));
  } catch (error) {
    if (error instanceof NoValueFound) return undefined;
    throw error;
  }
}

describe("includes", () => {
  const known = (schema: JsonSchema): JsonSchema => {
    const inner = mapSubschemas(schema, known);
    return inner.format === "iban" ? without(inner, "format") : inner;
  };

  it.each([...inclusionCases, ...splitCases, ...conditionCases])(
    "judges both directions of: $name",
    ({ one, other, forth, back }) => {
      const results = [judge(one, other), judge(other, one)];
      expect(results.map(({ kind }) => kind)).toEqual([forth, back]);
      for (const [index, result] of results.entries()) {
        if (result.kind !== "not-included") continue;
        const [first, second] = index === 0 ? [one, other] : [other, one];
        expect(validatorFor(components).accepts(known(first))(result.counterexample)).toBe(true);
        expect(validatorFor(components).accepts(known(second))(result.counterexample)).toBe(false);
      }
    },
  );

  it("takes a map for no object of named members, though an alternative names some", () => {
    const alternatives = {
      anyOf: [
        { type: "object", required: ["a"], properties: { c: { type: "integer" } } },
        { type: "object", properties: { a: false } },
      ],
    };
    const found = includes(sided({ type: "object" }), { schema: alternatives, components: otherComponents }, "names");
    expect(found.kind).toBe("not-included");
  });

  it("shows where a value is refused, and by which keyword", () => {
    const item = { type: "object", required: ["id"], properties: { id: { type: "string" } } };
    const list = (maxLength: number): JsonSchema => ({
      type: "array",
      items: { ...item, properties: { id: { type: "string", maxLength } } },
    });
    expect(judge(list(5), list(4))).toMatchObject({
      kind: "not-included",
      pointer: "/0/id",
      keyword: "maxLength",
      counterexample: [{ id: expect.stringMatching(/^.{5}$/u) }],
    });
    expect(judge({ type: "object" }, item)).toMatchObject({
      pointer: "/id",
      keyword: "required",
      why: "/id is missing",
    });
  });

  it("finds what lies deep, and what only a text of one pattern can show", () => {
    const nested = (pattern: string): JsonSchema => ({
      type: "object",
      required: ["a"],
      properties: { a: { type: "object", required: ["b"], properties: { b: { type: "string", pattern } } } },
    });
    const result = judge(nested("^[a-z]{10,12}-[0-9]{7}$"), nested("^[a-z]{10,11}-[0-9]{7}$"));
    expect(result).toMatchObject({ kind: "not-included", pointer: "/a/b", keyword: "pattern" });
  });

  it("judges components by what they say, whatever they are called on the other side", () => {
    const one = { schema: { $ref: "#/components/schemas/A" }, components: { A: { type: "integer" } } };
    const two = { schema: { $ref: "#/components/schemas/A" }, components: { A: { type: "number" } } };
    expect(includes(one, two).kind).toBe("included");
    expect(includes(two, one).kind).toBe("not-included");
  });

  it.each<[string, JsonSchema]>([
    ["a broken reference", { $ref: "#/components/schemas/Nobody" }],
    ["a reference to another file", { $ref: "other.yaml#/A" }],
    ["a reference to itself", { $ref: "#/components/schemas/Circle" }],
    ["a dynamic reference", { $dynamicRef: "#a" }],
    ["a malformed keyword", { type: "array", items: [{}] }],
    ["a malformed pattern", { type: "string", pattern: "(" }],
  ])("says that it can't tell, and why: %s", (_, schema) => {
    const circle = { Circle: { anyOf: [{ $ref: "#/components/schemas/Circle" }, { type: "null" }] } };
    const one = { schema: { type: "string" }, components: circle };
    for (const result of [
      includes(one, { schema, components: circle }),
      includes({ schema, components: circle }, one),
    ]) {
      expect(result.kind).not.toBe("included");
      if (result.kind === "unknown") expect(result.why.length).toBeGreaterThan(10);
    }
  });
});

describe("includes, of random schemas", () => {
  it("holds for a schema and itself, said in another way", () => {
    const property = fc.property(randomSchema, (schema) => {
      expect(judge(schema, structuredClone(schema)).kind).toBe("included");
      expect(judge(schema, { allOf: [{ anyOf: [schema] }, {}] }).kind).toBe("included");
    });
    fc.assert(property, { seed, numRuns: 10 });
  });

  it("is never contradicted by a value, and shows one that can be tried", () => {
    const kinds: Inclusion["kind"][] = [];
    const property = fc.property(randomSchema, randomSchema, (one, other) => {
      const kind = verdict(one, other);
      kinds.push(kind);
      if (kind === "included") expect(contradiction(one, other)).toBeUndefined();
    });
    fc.assert(property, { seed, numRuns: 20 });
    expect(kinds.filter((kind) => kind === "unknown").length).toBeLessThan(3);
  });

  it("holds for what is narrowed by another schema, and for what is widened by one", () => {
    const property = fc.property(randomSchema, randomSchema, (one, other) => {
      expect(judge({ allOf: [one, other] }, one).kind).not.toBe("not-included");
      expect(judge(one, { anyOf: [other, one] }).kind).not.toBe("not-included");
    });
    fc.assert(property, { seed, numRuns: 10 });
  });
});

/** An edit that makes a schema narrower, or leaves it; null where it does not apply. */
type Narrowing = (schema: JsonSchema) => JsonSchema | null;

const narrowings: { readonly [name: string]: Narrowing } = {
  "a required property": (schema) => {
    const [name] = [...schemaMapAt(schema, "properties").keys()].filter(
      (each) => !stringsAt(schema, "required").includes(each),
    );
    return name === undefined ? null : { ...schema, required: [...stringsAt(schema, "required"), name] };
  },
  "a shorter text": (schema) =>
    schema.type === "string" ? { ...schema, maxLength: Math.max(0, (numberAt(schema, "maxLength") ?? 20) - 1) } : null,
  "a greater minimum": (schema) =>
    schema.type === "integer" ? { ...schema, minimum: (numberAt(schema, "minimum") ?? 0) + 1 } : null,
  "one value less": (schema) =>
    Array.isArray(schema.enum) && schema.enum.length > 1 ? { ...schema, enum: schema.enum.slice(1) } : null,
  "one item less": (schema) =>
    schema.type === "array" ? { ...schema, maxItems: Math.max(0, (numberAt(schema, "maxItems") ?? 4) - 1) } : null,
  "a closed object": (schema) =>
    schema.type === "object" && schema.additionalProperties === undefined
      ? { ...schema, additionalProperties: false }
      : null,
};

describe("includes, of edited schemas", () => {
  const schemas = [...plainSchemas.map(({ schema }) => schema), ...Object.values(components)];

  it.each(Object.entries(narrowings))("tells narrowing from widening: %s", (_, narrow) => {
    const narrowDeep = (schema: JsonSchema): JsonSchema => {
      const inner = mapSubschemas(schema, (part, keyword) => (keyword === "not" ? part : narrowDeep(part)));
      return narrow(inner) ?? inner;
    };
    let told = 0;
    for (const schema of schemas) {
      // A count of items that are contained, or a condition, may narrow what it is part of when it is itself widened.
      if (/"(?:contains|if|oneOf|maxContains)"/.test(JSON.stringify(schema))) continue;
      const narrowed = narrowDeep(schema);
      if (JSON.stringify(narrowed) === JSON.stringify(schema)) continue;
      expect(judge(narrowed, schema).kind, JSON.stringify(narrowed)).toBe("included");
      const back = verdict(schema, narrowed);
      if (back === "included") expect(contradiction(schema, narrowed)).toBeUndefined();
      if (back === "not-included") told++;
    }
    expect(told).toBeGreaterThan(0);
  });
});
