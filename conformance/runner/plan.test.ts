import { describe, expect, test } from "vitest";
import { operations } from "../../generated/operations.ts";
import { type RuleId, rules } from "../../generated/rules.ts";
import type { Check } from "../context/check.ts";
import { madeUpCheck } from "../context/made-up-check.ts";
import { madeUpTarget } from "../target/made-up-target.ts";
import type { Target } from "../target/target.ts";
import { planOf } from "./plan.ts";
import { run } from "./run.ts";

const target: Target = { ...madeUpTarget, timing: { ...madeUpTarget.timing, maxWait: 0 } };

const check = (more: Partial<Check>): Check => madeUpCheck({ draws: { apiKeyWrites: 1 }, ...more });

const options = { profile: "full", allow: new Set<never>(), only: [], skip: [] } as const;
const blocksOf = (of: Target, checks: readonly Check[]) => planOf(of, checks, options).checks.map((c) => c.blocked);

describe("what hooks offer", () => {
  const hook = { kind: "url", url: "http://127.0.0.1:1" } as const;
  const needing = (need: Check["needs"][number]) => [check({ needs: [need] })];
  const offered = (hooks: Target["hooks"], more: Partial<Target> = {}) =>
    (
      [
        ...([
          "key",
          "other-organization",
          "fresh-organization",
          "full-bucket",
          "manual-clock",
          "limit-override",
        ] as const),
        ...(["revoked-key", "revocation", "session", "state", "outage"] as const),
        ...(["emit", "endpoint-edit", "callback", "forced-answers"] as const),
      ] as const
    ).filter((need) => blocksOf({ ...target, ...more, hooks }, needing(need))[0] === null);

  test("each unlocks what it is for", () => {
    expect(offered({})).toEqual(["key"]);
    expect(offered({ revoke_key: hook })).toEqual(["key", "revoked-key", "revocation"]);
    expect(offered({ advance: hook })).toEqual(["key", "full-bucket", "manual-clock"]);
    expect(offered({ new_organization: hook }, { key: null })).toEqual([
      ...["key", "other-organization", "fresh-organization", "full-bucket"],
    ]);
    expect(offered({ emit_event: hook })).toEqual(["key", "emit"]);
    expect(offered({ change_endpoint: hook })).toEqual(["key", "endpoint-edit"]);
    expect(offered({ send_callback: hook })).toEqual(["key", "callback"]);
    expect(offered({ organization_state: hook })).toEqual(["key", "state"]);
    expect(offered({ set_outage: hook })).toEqual(["key", "outage"]);
    expect(offered({ sign_in: hook })).toEqual(["key", "session"]);
  });

  test("a setting unlocks what it is for, and is named with the hook that takes it", () => {
    const limits = { ...hook, settings: ["limits"] };
    expect(offered({ new_organization: limits }, { key: null })).toContain("limit-override");
    expect(blocksOf(target, needing("quiet-hours"))[0]?.unblock).toBe(
      "give the kit a new_organization hook that sets quiet_hours (its settings in target.yaml); or a sandbox (BYLAW_SANDBOX_TOKEN)",
    );
  });

  test("each is named with every other way to the same", () => {
    const advice = (need: Check["needs"][number]) => blocksOf(target, needing(need))[0]?.unblock;
    const hook = (name: string) => `${name} hook (hooks in target.yaml)`;
    const sandbox = "a sandbox (BYLAW_SANDBOX_TOKEN)";
    expect(advice("emit")).toBe(`give the kit ${hook("an emit_event")}; or ${sandbox}`);
    expect(advice("endpoint-edit")).toBe(`give the kit ${hook("a change_endpoint")}; or ${sandbox}`);
    expect(advice("callback")).toBe(`give the kit ${hook("a send_callback")}; or ${sandbox}`);
    expect(advice("revoked-key")).toBe(
      `give the kit a revoked key (BYLAW_REVOKED_KEY); or ${hook("a revoke_key")}; or ${sandbox}`,
    );
    expect(advice("forced-answers")).toBe(`give the kit ${sandbox}`);
  });
});

describe("a target that does not implement a resource", () => {
  const none = { ...target, implements: ["pigeons"] };
  const aboutKeys = (Object.keys(rules) as RuleId[]).filter((id) => Object.hasOwn(operations, rules[id].about));

  test("is not asked by checks of it, and is told so in the plan", () => {
    const checks = [check({}), check({ id: "made-up.envelope", rules: ["ENV-02"] })];
    expect(blocksOf(none, checks)).toEqual([
      {
        verdict: "not_applicable",
        message: "the target does not implement api-keys, of which createApiKey is an operation",
        unblock: null,
      },
      null,
    ]);
    expect(planOf(none, checks, options).nextSteps).toEqual([]);
  });

  test("gets no verdict on its rules, and no call of its operations", async () => {
    const calling = check({
      ...{ id: "made-up.envelope", rules: ["ENV-02"] },
      run: async (t) => {
        const { main } = await t.tenant();
        await t.attempt("createApiKey", {}, await main());
      },
    });
    const result = await run(none, [check({}), calling], {
      ...{ ...options, seed: 1, runs: null, jobs: null, path: null },
      ...{ signal: new AbortController().signal, progress: () => undefined },
    });
    expect(result.requests).toBe(0);
    const own = result.rules.filter(({ id }) => aboutKeys.includes(id as RuleId));
    expect(own.length).toBeGreaterThan(30);
    for (const { verdict, message } of own) {
      expect([verdict, message]).toEqual(["not_applicable", expect.stringContaining("the target does not implement ")]);
    }
    expect(result.checks.map(({ verdict }) => verdict)).toEqual(["not_applicable"]);
  });
});

test("a check that names a rule which the generated files lack ends with both names", () => {
  const unknown: string = "WHE-999";
  const naming = check({ id: "a.check", rules: ["KEYG-08", unknown as RuleId] });
  expect(() => blocksOf(target, [naming])).toThrow(
    /check a\.check names the rule WHE-999, which generated\/rules lacks/,
  );
});
