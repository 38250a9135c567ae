import { describe, expect, it } from "vitest";
import { components } from "./fixtures/keyword-schemas.ts";
import { recursiveComponents, referencesIn, resolveReference, UnresolvedReference } from "./resolve-reference.ts";

describe("resolveReference", () => {
  it("gives the component that is named, what it refers to unresolved", () => {
    expect(resolveReference("#/components/schemas/Record", components)).toBe(components.Record);
    expect(components.Record?.properties).toEqual({ id: { $ref: "#/components/schemas/Uuid" } });
  });

  it("leads on into a component, names escaped as in a JSON Pointer or a URI", () => {
    const named = { A: { properties: { "b/c~d": { type: "string" }, "e f": true }, prefixItems: [{ const: 1 }] } };
    expect(resolveReference("#/components/schemas/A/properties/b~1c~0d", named)).toEqual({ type: "string" });
    expect(resolveReference("#/components/schemas/A/properties/e%20f", named)).toEqual({});
    expect(resolveReference("#/components/schemas/A/prefixItems/0", named)).toEqual({ const: 1 });
  });

  it.each([
    ["#/components/schemas/Missing", /names no component schema\. Declare "Missing"/],
    ["#/components/schemas/constructor", /names no component schema/],
    ["#/components/schemas/Record/properties/none", /leads to no schema inside "Record"/],
    ["#/components/schemas/Record/required", /leads to no schema/],
    ["#/components/parameters/Id", /is not of the form #\/components\/schemas\/<name>/],
    ["other.yaml#/A", /is not of the form/],
  ])("says what is wrong with %s", (reference, message) => {
    expect(() => resolveReference(reference, components)).toThrow(UnresolvedReference);
    expect(() => resolveReference(reference, components)).toThrow(message);
  });
});

describe("referencesIn", () => {
  it("finds references at any depth, but not in data", () => {
    const found = referencesIn({
      properties: { a: { items: { $ref: "#/components/schemas/A" } }, $ref: { $ref: "#/components/schemas/B" } },
      anyOf: [{ not: { $ref: "#/components/schemas/C" } }],
      enum: [{ $ref: "#/components/schemas/D" }],
    });
    expect([...found]).toEqual(["A", "B", "C"].map((name) => `#/components/schemas/${name}`));
  });
});

describe("recursiveComponents", () => {
  it("names components that contain themselves, directly or through others, and no others", () => {
    expect(recursiveComponents(components)).toEqual(new Set(["Tree", "Person", "Company"]));
  });
});
