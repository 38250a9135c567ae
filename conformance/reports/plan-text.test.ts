import { expect, test } from "vitest";
import type { Check } from "../check/check.ts";
import { planOf } from "../runner/plan.ts";
import type { Target } from "../target/target.ts";
import { waitNotice } from "./plan-text.ts";

const target: Target = {
  baseUrl: "http://127.0.0.1:1",
  key: "svc_live_key",
  otherKey: null,
  session: null,
  revokedKey: null,
  sandbox: null,
  timing: { requestTimeout: 1000, maxWait: 120, pollInterval: 10, pollTimeout: 100, clockSkew: 5000 },
  hooks: {},
  implements: null,
  receiver: null,
  shapes: {},
};

const drawing = (draws: number): Check => ({
  id: "made-up.check",
  title: "A made-up check",
  rules: ["KEYC-01"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws,
  run: async () => undefined,
});

function noticeOf(draws: number, more: Partial<Target> = {}): string | null {
  const all = { ...target, ...more };
  const options = { profile: "core", allow: new Set<never>(), only: [], skip: [] } as const;
  return waitNotice(planOf(all, [drawing(draws)], options), all, null);
}

test("a run says what it will wait for and for how long at most, and how not to", () => {
  expect(noticeOf(25)).toMatch(/^Waits up to 2 min in all for limits to refill: apiKeyWrites \(10 in 1 min\)/);
  expect(noticeOf(25)).toContain("--max-wait 0");
});

test("it waits no longer than it may", () => {
  expect(noticeOf(100)).toContain("up to 2 min ");
  expect(noticeOf(100, { timing: { ...target.timing, maxWait: 90 } })).toContain("up to 1 min 30 s ");
});

test("a run that waits for nothing says nothing", () => {
  expect(noticeOf(5)).toBeNull();
  expect(noticeOf(25, { timing: { ...target.timing, maxWait: 0 } })).toBeNull();
  expect(noticeOf(25, { sandbox: { baseUrl: target.baseUrl, token: "token" } })).toBeNull();
});
