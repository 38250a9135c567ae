import { describe, expect, it } from "vitest";
import { encodesToItself } from "./survives-json.ts";

const cycle: unknown[] = [];
cycle.push(cycle);

describe("encodesToItself", () => {
  it.each<[string, unknown]>([
    ["null", null],
    ["numbers", [0, -1, 1.5, 5e-324, 1.7976931348623157e308, 2 ** 53]],
    ["texts with all that needs escapes", '\0\n"\\/\u2028🎉\u202e'],
    ["nested values", { a: [{ b: [] }, {}], "": "x", constructor: 1 }],
    ["a member called __proto__", JSON.parse('{"__proto__": {"a": 1}}')],
  ])("holds for %s", (_, value) => {
    expect(encodesToItself(value)).toBe(true);
  });

  it.each<[string, unknown]>([
    ["-0", [-0]],
    ["NaN", { a: Number.NaN }],
    ["infinity", Number.POSITIVE_INFINITY],
    ["undefined", undefined],
    ["an undefined member", { a: undefined }],
    ["an undefined item", [undefined]],
    ["a hole", new Array(1)],
    ["a function", () => 1],
    ["a date", new Date(0)],
    ["a map", new Map([["a", 1]])],
    ["a bigint", 1n],
    ["a cycle", cycle],
    ["half a surrogate pair", "a\ud800"],
    ["half a surrogate pair in a name", { "\udc00": 1 }],
  ])("fails for %s", (_, value) => {
    expect(encodesToItself(value)).toBe(false);
  });
});
