import { describe, expect, it } from "vitest";
import type { Contract, JsonSchema } from "../contract.ts";
import type { Components } from "../schema/resolve-reference.ts";
import type { Change } from "./change.ts";
import { diff } from "./diff.ts";
import { documentOf } from "./fixtures/document-of.ts";
import { asContract, plantedBase } from "./planted-base.ts";
import { type Edit, edited, merged, set } from "./planted-changes.ts";
import { plantedFacts } from "./planted-facts.ts";
import { plantedOnTheWire } from "./planted-on-the-wire.ts";
import { sampledInclusion as includes } from "./sampled-inclusion.ts";

const between = (base: Contract, head: Contract, extent: "contract" | "document"): readonly Change[] =>
  diff(base, head, { includes, extent });

const fingerprintsOf = (changes: readonly Change[]): readonly string[] => [
  ...new Set(changes.filter(({ verdict }) => verdict !== "safe").map(({ fingerprint }) => fingerprint)),
];

describe("the fingerprint of an edit in schemas", () => {
  const objects = (size: number): Components => ({
    Old: { type: "object", properties: { size: { type: "integer" } } },
    New: { type: "object", properties: { size: { $ref: "#/components/schemas/Size" } } },
    Size: { type: "integer", maximum: size },
  });
  const of = (base: JsonSchema, head: JsonSchema, components: Components = {}, later = components): readonly string[] =>
    fingerprintsOf(between(documentOf("request", base, components), documentOf("request", head, later), "document"));
  const named = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

  it("is another where the values before or after are", () => {
    const edits = [
      of({ type: "integer", maximum: 100 }, { type: "integer", maximum: 50 }),
      of({ type: "integer", maximum: 100 }, { type: "integer", maximum: 10 }),
      of({ type: "integer", maximum: 50 }, { type: "integer", maximum: 10 }),
      of({ type: "number", exclusiveMaximum: 100 }, { type: "number", exclusiveMaximum: 50 }),
    ];
    expect(edits.map(({ length }) => length)).toEqual([1, 1, 1, 1]);
    expect(new Set(edits.flat()).size).toBe(4);
  });

  it("is another where a schema that was put in place of another says something else, by whatever references", () => {
    const swaps = [9, 5].map((size) => of(named("Old"), named("New"), objects(9), objects(size)));
    expect(swaps.map(({ length }) => length)).toEqual([1, 1]);
    expect(new Set(swaps.flat()).size).toBe(2);
  });

  it.each([
    ["within the values of the edit", { type: "object" }],
    ["in place of one that was written out", { type: "object", additionalProperties: {} }],
  ] satisfies [string, JsonSchema][])("is another where a schema says something else %s", (_, base) => {
    const head = { type: "object", additionalProperties: named("Size") };
    const edits = [9, 5].map((size) => of(base, head, objects(9), objects(size)));
    expect(new Set(edits.flat()).size).toBeGreaterThan(new Set(edits[0]).size);
  });

  it("is the same at another place, together with another edit, and with other prose", () => {
    const [one] = of({ type: "integer", maximum: 100 }, { type: "integer", maximum: 50 });
    const property = (maximum: number, more: JsonSchema = {}): JsonSchema => ({
      type: "object",
      properties: { size: { type: "integer", maximum, ...more }, name: { type: "string" } },
    });
    const [two, ...others] = of(property(100), property(50, { description: "Less." }));
    expect([two, others]).toEqual([one, []]);
  });
});

describe("the fingerprint of an edit of a contract", () => {
  const base = asContract(plantedBase);
  const against = (...edits: readonly Edit[]): readonly string[] =>
    fingerprintsOf(between(base, asContract(edited(plantedBase, edits)), "contract"));

  it("is another where a limit is another, though the edit names no values", () => {
    const bucket = ["buckets", 0, "capacity"];
    const [one, two] = [1, 2].map((capacity) => against({ at: bucket, to: set(capacity) }));
    expect(one).toHaveLength(1);
    expect(two).toHaveLength(1);
    expect(one).not.toEqual(two);
  });

  it("is the same where only lines move, or another fact changes too", () => {
    const limit: Edit = { at: ["buckets", 0, "capacity"], to: set(1) };
    const place: Edit = { at: ["buckets", 0, "place"], to: merged({ line: 999 }) };
    const rule: Edit = { at: ["rules", 0, "level"], to: set("may") };
    const [one] = against(limit);
    expect(against(limit, place)).toEqual([one]);
    expect(against(limit, rule)).toContain(one);
  });

  it.each([...plantedOnTheWire, ...plantedFacts].map((one) => [one.forth[0], one] as const))(
    "is another on the way back: %s",
    (_, { edits }) => {
      const head = asContract(edited(plantedBase, edits));
      const forth = between(base, head, "contract").map(({ fingerprint }) => fingerprint);
      const back = between(head, base, "contract").map(({ fingerprint }) => fingerprint);
      expect(forth.length).toBeGreaterThan(0);
      expect(forth.filter((one) => back.includes(one))).toEqual([]);
    },
  );
});
