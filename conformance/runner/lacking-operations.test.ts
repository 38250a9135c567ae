import { expect, test } from "vitest";
import { requirements } from "../arrangements/all.ts";
import { madeUpCheck } from "../context/made-up-check.ts";
import { lackingOperations } from "./lacking-operations.ts";

const all = requirements.flatMap(({ sandboxOperation }) => sandboxOperation ?? []);
const without = (operation: string): readonly string[] => all.filter((one) => one !== operation);

const checks = [
  madeUpCheck({ id: "emitting", rules: ["EVT-01", "EVT-02"], needs: ["emit"] }),
  madeUpCheck({ id: "testing", rules: ["EVT-02"], needs: ["key"] }),
];

test("a missing sandbox operation costs the rules that no other check tests", () => {
  expect(lackingOperations(without("emitEvent"), checks)).toEqual([{ operation: "emitEvent", rules: ["EVT-01"] }]);
});

test("a complete sandbox lacks no operation", () => {
  expect(lackingOperations(all, checks)).toEqual([]);
});
