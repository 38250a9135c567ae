import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../contract.ts";
import { includes } from "../schema/inclusion.ts";
import { diff } from "./diff.ts";
import { documentOf } from "./fixtures/document-of.ts";

const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
const pet = (kind: string): JsonSchema => ({
  type: "object",
  required: ["kind"],
  properties: { kind: { type: "string" }, [`of_${kind}`]: { type: "string" } },
});
const components = { Cat: pet("cat"), Dog: pet("dog"), Bird: pet("bird") };

const union = (mapping: Readonly<Record<string, string>> | null, names = ["Cat", "Dog"]): JsonSchema => ({
  anyOf: names.map(ref),
  ...(mapping === null ? {} : { discriminator: { propertyName: "kind", mapping } }),
});
const usual = { cat: "#/components/schemas/Cat", dog: "Dog" };

const found = (base: JsonSchema, head: JsonSchema): readonly string[] =>
  diff(documentOf("response", base, components), documentOf("response", head, components), {
    includes,
    extent: "document",
  })
    .filter(({ id }) => id.startsWith("discriminator-"))
    .map(({ id, verdict }) => `${id} ${verdict}`);

describe("a discriminator", () => {
  it("is safe to add, and breaking to remove from a response whose values it alone names", () => {
    expect(found(union(null), union(usual))).toEqual(["discriminator-added safe"]);
    expect(found(union(usual), union(null))).toEqual(["discriminator-value-removed breaking"]);
  });

  it("whose value is renamed or lost is breaking, as long as the alternative is there", () => {
    const renamed = { tom: "Cat", dog: "Dog" };
    expect(found(union(usual), union(renamed))).toEqual(["discriminator-value-removed breaking"]);
    expect(found(union(usual), union({ dog: "Dog" }))).toEqual(["discriminator-value-removed breaking"]);
  });

  it("whose value is renamed where its property lists them is told by the list, both ways round", () => {
    const of = (...kinds: readonly string[]) => ({
      Pet: {
        type: "object",
        ...{ required: ["kind"], properties: { kind: { type: "string", enum: [...kinds] } } },
        discriminator: { propertyName: "kind", mapping: Object.fromEntries(kinds.map((kind) => [kind, "Cat"])) },
      },
      Cat: { allOf: [ref("Pet"), { type: "object", properties: { claws: { type: "integer" } } }] },
    });
    const told = (direction: "request" | "response", base: string, head: string): readonly string[] =>
      diff(documentOf(direction, ref("Pet"), of(base)), documentOf(direction, ref("Pet"), of(head)), {
        includes,
        extent: "document",
      })
        .filter(({ verdict }) => verdict === "breaking")
        .map(({ id }) => id);
    expect(told("request", "cat", "tom")).toEqual(["request-body-narrowed"]);
    expect(told("response", "cat", "tom")).toEqual(["response-body-widened"]);
    expect(told("response", "tom", "cat")).toEqual(["response-body-widened"]);
  });

  it("that loses or gains a value with its alternative is reported by the union alone", () => {
    expect(found(union(usual), union({ dog: "Dog" }, ["Dog"]))).toEqual([]);
    const more = union({ ...usual, bird: "Bird" }, ["Cat", "Dog", "Bird"]);
    expect(found(union(usual), more)).toEqual([]);
  });

  it("whose components are written otherwise is the same", () => {
    expect(found(union(usual), union({ cat: "Cat", dog: "#/components/schemas/Dog" }))).toEqual([]);
  });
});
