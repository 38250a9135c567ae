import { expect, test } from "vitest";
import type { Check } from "../context/check.ts";
import { madeUpCheck } from "../context/made-up-check.ts";
import { planOf } from "../runner/plan.ts";
import { madeUpTarget } from "../target/made-up-target.ts";
import type { Target } from "../target/target.ts";
import { startNotice, waitNotice } from "./plan-text.ts";

const drawing = (calls: number): Check => madeUpCheck({ effects: ["creates"], draws: { apiKeyWrites: calls } });

function noticeOf(draws: number, more: Partial<Target> = {}): string | null {
  const all = { ...madeUpTarget, ...more };
  const options = { profile: "core", allow: new Set<never>(), only: [], skip: [] } as const;
  return waitNotice(planOf(all, [drawing(draws)], options), all, null);
}

test("a run says how long it may wait for limits, and for which", () => {
  expect(noticeOf(25)).toMatch(/the run waits, 2 min at most in all \(--max-wait\)\./);
  expect(noticeOf(25)).toContain("apiKeyWrites (10 in 1 min)");
});

test("the notice names no more time than the run may wait", () => {
  expect(noticeOf(100)).toContain("2 min at most");
  expect(noticeOf(15, { timing: { ...madeUpTarget.timing, maxWait: 90 } })).toContain("1 min at most");
  expect(noticeOf(25, { timing: { ...madeUpTarget.timing, maxWait: 90 } })).toContain("1 min 30 s at most");
});

test("a run that waits for nothing has no notice", () => {
  expect(noticeOf(5)).toBeNull();
  expect(noticeOf(25, { timing: { ...madeUpTarget.timing, maxWait: 0 } })).toBeNull();
  expect(noticeOf(25, { sandbox: { baseUrl: madeUpTarget.baseUrl, token: "token" } })).toBeNull();
});

test("a run says at its start what it will do", () => {
  const options = { profile: "core", allow: new Set<never>(), only: [], skip: [] } as const;
  const plan = planOf(
    madeUpTarget,
    [madeUpCheck({}), madeUpCheck({ id: "made-up.locked", needs: ["session"] })],
    options,
  );
  expect(startNotice(plan, madeUpTarget)).toMatch(
    /^Runs 1 check, 1 at a time, against http:\/\/127\.0\.0\.1:1 to decide \d+ rules\.$/,
  );
});
