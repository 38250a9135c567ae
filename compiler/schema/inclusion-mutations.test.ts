import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { moreComponents } from "./fixtures/inclusion-cases.ts";
import { judgedPair } from "./fixtures/judged-pair.ts";
import { components as basicComponents } from "./fixtures/keyword-schemas.ts";
import { mutatedSchema, mutations } from "./fixtures/schema-mutations.ts";
import type { Inclusion } from "./inclusion.ts";
import type { JsonSchema } from "./json-schema.ts";

const components = { ...basicComponents, ...moreComponents };
// Of another document, as far as identity goes.
const otherComponents = structuredClone(components);
const seeds = [20260102, 20260103];

const openApi30 = (schema: JsonSchema): JsonSchema =>
  Array.isArray(schema.type) && schema.type.length === 2 && schema.type.includes("null")
    ? { ...schema, type: schema.type.find((type) => type !== "null") ?? "null", nullable: true }
    : schema;

describe("a schema and what a few edits make of it", () => {
  it.each(seeds)(
    "are judged so that no value contradicts it, both ways round (seed %i)",
    { timeout: 240_000 },
    (seed) => {
      const kinds: Inclusion["kind"][] = [];
      const property = fc.property(mutatedSchema, fc.boolean(), ({ before, after, by }, isOld) => {
        const [one, other] = isOld ? [openApi30(before), after] : [before, after];
        for (const [first, second] of [
          [one, other],
          [other, one],
        ] as const) {
          const { kind, contradiction, wrong } = judgedPair(
            { schema: first, components },
            { schema: second, components: otherComponents },
            seed,
          );
          const told = `${by.join(", ")}: ${JSON.stringify(first)} in ${JSON.stringify(second)}`;
          expect(wrong, told).toEqual([]);
          expect(contradiction, told).toBeUndefined();
          kinds.push(kind);
        }
      });
      fc.assert(property, { seed, numRuns: 40 });
      expect(kinds.filter((kind) => kind === "unknown").length).toBeLessThan(kinds.length / 5);
      expect(kinds).toContain("included");
      expect(kinds).toContain("not-included");
    },
  );

  it("every kind of edit is made", () => {
    const made = new Set(fc.sample(mutatedSchema, { numRuns: 400, seed: 1 }).flatMap(({ by }) => by));
    expect([...made].sort()).toEqual(Object.keys(mutations).sort());
  });
});
