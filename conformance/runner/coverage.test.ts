import { expect, test } from "vitest";
import type { OperationId } from "../../generated/operations.ts";
import type { Check } from "../context/check.ts";
import type { Finding, Verdict } from "../outcome/verdict.ts";
import { coverageOf } from "./coverage.ts";
import { servedBy } from "./served.ts";

const checkAt = (operation: OperationId): Check => ({
  ...{ id: `callers.${operation}`, title: "", rules: ["AUTH-12"], operation, kind: "scenario", draws: {} },
  ...{ needs: [], effects: ["reads"], run: async () => undefined },
});

const finding = (check: string, verdict: Verdict, more: Partial<Finding> = {}): Finding => ({
  ...{ rule: "AUTH-12", check, verdict, message: "", expected: null, actual: null },
  ...{
    exchanges: [],
    deliveries: [],
    unblock: null,
    origin: null,
    question: null,
    counterexample: null,
    told: null,
    ...more,
  },
});

const ids = ["getApiKey", "createApiKey", "listDeliveryAttempts"] as const;
const checks = ids.map(checkAt);
const all = servedBy(null, [], () => "");
const plan = (served = all, planned = checks) => ({
  ...{ asked: checks, checks: planned.map((check) => ({ check, blocked: null })), served },
});

test("an operation counts when a check decided the rule there, whatever the verdict", () => {
  const findings = (["pass", "fail", "warn"] as const).map((verdict, index) =>
    finding(`callers.${ids[index]}`, verdict),
  );
  expect(coverageOf("AUTH-12", findings, plan(all))).toEqual({ decided: 3, of: 3, missing: [] });
});

test("a pass at one operation hides no other that was not reached, and the reason is told", () => {
  const findings = [
    finding("callers.getApiKey", "pass"),
    finding("callers.createApiKey", "blocked", { message: "no key", unblock: "give one" }),
    finding("another.check", "pass"),
  ];
  expect(coverageOf("AUTH-12", findings, plan(all))).toEqual({
    decided: 1,
    of: 3,
    missing: [
      { operation: "createApiKey", message: "no key", unblock: "give one" },
      { operation: "listDeliveryAttempts", message: "its check was not run", unblock: null },
    ],
  });
});

test("of an operation that the profile leaves out the profile is told", () => {
  const findings = [finding("callers.getApiKey", "pass"), finding("callers.createApiKey", "pass")];
  expect(coverageOf("AUTH-12", findings, plan(all, checks.slice(0, 2)))).toEqual({
    decided: 2,
    of: 3,
    missing: [
      { operation: "listDeliveryAttempts", message: "no part of a Core run", unblock: "run with --profile full" },
    ],
  });
});

test("an operation that the target does not serve, or to which the rule does not apply, is not counted", () => {
  const some = servedBy(
    ["api-keys"],
    [{ id: "listDeliveryAttempts", service: "api", resource: "deliveries" }],
    () => "",
  );
  const findings = [finding("callers.getApiKey", "pass"), finding("callers.createApiKey", "not_applicable")];
  expect(coverageOf("AUTH-12", findings, plan(some))).toEqual({ decided: 1, of: 1, missing: [] });
});

test("a rule that no check decides operation by operation has no coverage", () => {
  expect(coverageOf("KEYC-01", [], plan(all))).toBeNull();
});
