import { describe, expect, it } from "vitest";
import { decimalsOf, isMultiple } from "./is-multiple.ts";

describe("isMultiple", () => {
  it.each([
    [0.07, 0.01],
    [0.3, 0.1],
    [1.1, 1e-7],
    [0, 3],
    [-10, 2.5],
    [1e300, 2],
    [123456789.01, 0.01],
  ])("holds for %s and %s", (value, step) => {
    expect(isMultiple(value, step)).toBe(true);
  });

  it.each([
    [0.075, 0.01],
    [1e-300, 2],
    [7, 2.5],
    [1, 0.3],
  ])("fails for %s and %s", (value, step) => {
    expect(isMultiple(value, step)).toBe(false);
  });

  it("counts decimals of plain and scientific notation", () => {
    expect([1, 0.05, 1e-7, 1.5e-7, 1e21].map(decimalsOf)).toEqual([0, 2, 7, 8, 0]);
  });
});
