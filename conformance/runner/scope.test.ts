import { describe, expect, test } from "vitest";
import { rules } from "../../generated/rules.ts";
import { allChecks } from "../checks/all-checks.ts";
import { invariants } from "../monitor/invariants.ts";
import type { Target } from "../target/target.ts";
import { planOf } from "./plan.ts";

const target: Target = {
  baseUrl: "http://127.0.0.1:1",
  ...{ key: "svc_live_key", secrets: {}, sandbox: null, hooks: {} },
  timing: { requestTimeout: 1000, maxWait: 0, pollInterval: 10, pollTimeout: 100, clockSkew: 5000 },
  ...{ implements: null, receiver: null, shapes: {}, numbers: {} },
};

const planOnly = (...only: readonly string[]) =>
  planOf(target, allChecks, { profile: "full", allow: new Set(), only, skip: [] });

describe("what was asked for", () => {
  test("is all when nothing was said, and goes without saying", () => {
    const { checks, scope, shown } = planOnly();
    expect([checks.length, scope, shown]).toEqual([allChecks.length, null, []]);
  });

  test("is a check's own rules, and those that its answers show", () => {
    const { checks, rules: planned, scope, shown } = planOnly("api-keys.read-back");
    expect(checks.map(({ check }) => check.id)).toEqual(["api-keys.read-back"]);
    expect(planned).toEqual([...(checks[0]?.check.rules ?? [])].sort());
    expect(shown).toEqual([...new Set(invariants.map(({ rule }) => rule))].sort());
    expect(scope).toContain("All that this check shows is judged");
  });

  test("is every check for a rule that every answer has to keep", () => {
    const { checks, rules: planned, scope } = planOnly("ENV-02");
    expect([checks.length, planned]).toEqual([allChecks.length, ["ENV-02"]]);
    expect(scope).toBe(`Every answer of a run judges ENV-02, so all ${allChecks.length} checks of the profile run.`);
  });

  test("is the checks of an area, and no others, although every answer has to keep some of its rules", () => {
    const { checks, rules: planned, scope, shown } = planOnly("KEYG");
    expect(checks.length).toBeLessThan(allChecks.length / 4);
    expect(checks.every(({ check }) => check.rules.some((rule) => rule.startsWith("KEYG-")))).toBe(true);
    expect(planned).toEqual(
      Object.keys(rules)
        .filter((id) => id.startsWith("KEYG-"))
        .sort(),
    );
    expect(shown).toEqual([]);
    expect(scope).toContain(`is judged by these ${checks.length} checks alone`);
  });

  test("goes without saying for a rule that checks alone decide", () => {
    const { checks, scope } = planOnly("KEYC-15");
    expect(checks.length).toBeGreaterThan(0);
    expect(checks.every(({ check }) => check.rules.some((rule) => rule === "KEYC-15"))).toBe(true);
    expect(scope).toBeNull();
  });
});
