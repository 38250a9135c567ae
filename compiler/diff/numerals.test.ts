import { expect, it } from "vitest";
import { numberPattern, wholeNumberPattern } from "./numerals.ts";

const around = Array.from({ length: 2_600 }, (_, index) => index - 1_300);

it.each([
  [0, 0],
  [0, 9],
  [1, 100],
  [0, 999],
  [7, 1_234],
  [99, 101],
  [-3, 5],
  [-1_203, -97],
  [5, null],
  [120, null],
  [null, -8],
  [null, null],
  [9, 8],
])("the pattern of whole numbers from %s to %s has their texts and no others", (low, high) => {
  const bounds = { low: low === null ? null : BigInt(low), high: high === null ? null : BigInt(high) };
  const pattern = new RegExp(wholeNumberPattern(bounds), "u");
  const found = around.filter((number) => pattern.test(String(number)));
  const wanted = around.filter((number) => number >= (low ?? -Infinity) && number <= (high ?? Infinity));
  expect(found).toEqual(wanted);
  for (const text of ["", "-", "-0", "01", "1.5", "1e3", "+1", "１", "x"]) expect(text).not.toMatch(pattern);
});

it("bounds beyond what a number of JavaScript holds are exact", () => {
  const pattern = new RegExp(wholeNumberPattern({ low: 0n, high: 2n ** 63n - 1n }), "u");
  expect("9223372036854775807").toMatch(pattern);
  expect("9223372036854775808").not.toMatch(pattern);
});

it("the pattern of numbers has the texts that JSON has", () => {
  for (const text of ["0", "-0.5", "12", "1e5", "1.25E-7", "-3"]) expect(text).toMatch(new RegExp(numberPattern, "u"));
  for (const text of ["", "01", ".5", "1.", "1e", "0x1", "NaN"]) {
    expect(text).not.toMatch(new RegExp(numberPattern, "u"));
  }
});
