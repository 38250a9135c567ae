import { describe, expect, test } from "vitest";
import { differences } from "./differences.ts";

describe("differences", () => {
  test("of equal values there are none, whatever the order of their members", () => {
    expect(differences({ a: [1, { b: null }], c: "x" }, { c: "x", a: [1, { b: null }] })).toEqual([]);
  });

  test("are the innermost ones", () => {
    expect(differences({ a: { b: 1, "c/d": 2 }, e: 3 }, { a: { b: 1, "c/d": 4 }, f: 5 })).toEqual([
      { pointer: "/a/c~1d", expected: 2, actual: 4 },
      { pointer: "/e", expected: 3, actual: undefined },
      { pointer: "/f", expected: undefined, actual: 5 },
    ]);
  });

  test("tell what a list lacks and has too much, wherever it stands", () => {
    const [one, two, three] = [{ id: 1 }, { id: 2 }, { id: 3 }];
    expect(differences([one, two, three], [two, three])).toEqual([{ pointer: "/0", expected: one, actual: undefined }]);
    expect(differences([one, two], [one, three, two])).toEqual([{ pointer: "/1", expected: undefined, actual: three }]);
  });

  test("tell an item that has become another one by what has changed in it", () => {
    expect(differences([{ id: 1, is: "a" }, 2], [{ id: 1, is: "b" }, 2])).toEqual([
      { pointer: "/0/is", expected: "a", actual: "b" },
    ]);
  });

  test("tell items that changed places as both lacking and too much", () => {
    expect(differences(["a", "b"], ["b", "a"])).toHaveLength(2);
  });

  test("are told of values of different kinds as a whole", () => {
    expect(differences([1], { 0: 1 }, "/data")).toEqual([{ pointer: "/data", expected: [1], actual: { 0: 1 } }]);
  });
});
