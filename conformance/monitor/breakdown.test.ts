import { expect, test } from "vitest";
import { newBreakdown, newKinds } from "./breakdown.ts";
import type { Answered } from "./invariant.ts";

const answered = (status: number, operation: string): Answered => ({
  ...{ number: 1, operation, sentAt: 0, answeredAt: 1 },
  request: { method: "GET", url: "http://127.0.0.1/", headers: {}, body: null },
  outcome: { kind: "response", status, headers: {}, text: "", json: undefined, truncated: false },
});

/** Answers as "status operation credential", with an exclamation mark where they break the rule. */
function textOf(...answers: readonly string[]): string | null {
  const kindOf = newKinds();
  const breakdown = newBreakdown();
  for (const answer of answers) {
    const [status, operation = "", credential = "", broken] = answer.split(" ");
    breakdown.add(kindOf(answered(Number(status), operation), credential), broken === "!");
  }
  return breakdown.text();
}

test("what tells broken answers apart is told with its counts", () => {
  expect(textOf("401 a k1 !", "401 b k2 !", "200 a k1", "200 b k2")).toBe("401: 2 of 2, others: 0 of 2");
  expect(textOf("401 a k1 !", "401 b k1", "200 a k2 !", "200 b k2")).toBe("a: 2 of 2, others: 0 of 2");
  expect(textOf("401 a k1 !", "200 b k1 !", "401 a k2", "200 b k2")).toBe("k1: 2 of 2, others: 0 of 2");
  expect(textOf("401 a k !", "401 b k", "200 a k", "200 b k")).toBe("a 401: 1 of 1, others: 0 of 3");
});

test("where nothing tells them apart wholly, what does best is told", () => {
  expect(textOf("401 a k1 !", "401 a k2", "401 b k1", "200 b k2", "200 c k1")).toBe("a: 1 of 2, others: 0 of 3");
});

test("where all break the rule, or everything does now and then, nothing is told", () => {
  expect(textOf("401 a k !", "200 b k !")).toBeNull();
  expect(textOf("401 a k !", "401 a k", "200 a k !", "200 a k")).toBeNull();
});
