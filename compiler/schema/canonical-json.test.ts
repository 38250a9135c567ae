import { describe, expect, it } from "vitest";
import { canonicalJson, sameJson, sortedSet } from "./canonical-json.ts";

describe("canonicalJson", () => {
  it("is one text for equal values and valid JSON", () => {
    expect(canonicalJson({ b: [1, { d: -0, c: "\u2028" }], a: null })).toBe(
      canonicalJson({ a: null, b: [1, { c: "\u2028", d: 0 }] }),
    );
    expect(JSON.parse(canonicalJson({ b: [1], a: 'x"' }))).toEqual({ a: 'x"', b: [1] });
  });

  it("tells different values apart", () => {
    expect(sameJson([1, 2], [2, 1])).toBe(false);
    expect(sameJson("1", 1)).toBe(false);
    expect(sameJson({}, [])).toBe(false);
    expect(sameJson({ a: 1 }, { a: 1, b: 1 })).toBe(false);
  });
});

describe("sortedSet", () => {
  it("holds each value once, in an order of its own", () => {
    expect(sortedSet([2, "a", { a: 1 }, 2, "a", { a: 1 }, null])).toEqual(sortedSet([null, { a: 1 }, "a", 2]));
    expect(sortedSet(["b", "a", "b"])).toEqual(["a", "b"]);
  });
});
