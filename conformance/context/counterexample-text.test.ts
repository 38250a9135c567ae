import * as fc from "fast-check";
import { expect, test } from "vitest";
import { counterexampleText } from "./counterexample-text.ts";

const command = (name: string) => ({
  check: () => true,
  run: async () => undefined,
  toString: () => name,
});

test("commands read as a sequence of calls", () => {
  expect(counterexampleText([command("create(0)"), command("read(0)")])).toBe("create(0) → read(0)");
});

test("a value reads as it would be written", () => {
  expect(counterexampleText({ limit: 1, names: ["é", null] })).toBe('{"limit":1,"names":["é",null]}');
  expect(counterexampleText([])).toBe("[]");
  expect(counterexampleText("")).toBe('""');
});

test("a record that was generated reads as any other", () => {
  const [value] = fc.sample(fc.record({ limit: fc.constant(1), rest: fc.tuple(fc.record({ a: fc.constant(2) })) }), 1);
  expect(counterexampleText(value)).toBe('{"limit":1,"rest":[{"a":2}]}');
});

test("a long value is cut short", () => {
  expect(counterexampleText("x".repeat(5_000))).toHaveLength(1_001);
});
