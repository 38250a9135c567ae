import { expect, test } from "vitest";
import type { Means } from "../arrangements/offers.ts";
import type { Check } from "../context/check.ts";
import { madeUpCheck } from "../context/made-up-check.ts";
import { madeUpTarget } from "../target/made-up-target.ts";
import type { Target } from "../target/target.ts";
import { nextStepsOf, unlockText } from "./next-steps.ts";

const means = (more: Partial<Target> = {}, allow: Means["allow"] = new Set()): Means => ({
  target: { ...madeUpTarget, ...more },
  allow,
});

const hook = { kind: "url", url: "http://127.0.0.1:1" } as const;

const stepsOf = (checks: readonly Check[], from: Means) =>
  nextStepsOf({ checks, means: from, inProfile: () => true }).map(({ gives, rules }) => [gives.join(" + "), rules]);

const burst = madeUpCheck({
  rules: ["KEYC-29", "KEYC-30"],
  needs: ["full-bucket"],
  effects: ["creates", "exhausts"],
  draws: { apiKeyWrites: 13 },
});

test("every way to a rule is a step, hooks and a sandbox alike", () => {
  const revoked = madeUpCheck({ needs: ["revoked-key"] });
  expect(stepsOf([revoked], means())).toEqual([
    ["revoked-key", 1],
    ["revoke_key", 1],
    ["sandbox", 1],
  ]);
  expect(unlockText(revoked, means())).toBe(
    "give the kit a revoked key (BYLAW_REVOKED_KEY); or a revoke_key hook (hooks in target.yaml); or a sandbox (BYLAW_SANDBOX_TOKEN)",
  );
});

test("what only several things unlock together is told as those things", () => {
  const callback = madeUpCheck({ rules: ["WHO-03", "WHO-04"], needs: ["callback", "receiver"] });
  expect(stepsOf([callback], means())).toEqual([
    ["receiver + send_callback", 2],
    ["receiver + sandbox", 2],
  ]);
  expect(unlockText(callback, means())).toBe(
    "give the kit a receiver (--receiver-listen) and a send_callback hook (hooks in target.yaml); or a receiver (--receiver-listen) and a sandbox (BYLAW_SANDBOX_TOKEN)",
  );
  const more = madeUpCheck({ rules: ["EVT-01"], needs: ["receiver"] });
  expect(stepsOf([callback, more], means())[0]).toEqual(["receiver + send_callback", 3]);
});

test("a rule that is decided already adds nothing", () => {
  expect(stepsOf([madeUpCheck({}), madeUpCheck({ needs: ["session"] })], means())).toEqual([]);
});

test("a step that waits says for how long at most, on top of what is allowed", () => {
  const [step] = nextStepsOf({ checks: [burst], means: means(), inProfile: () => true });
  expect(step).toEqual({
    gives: ["allow-exhausts"],
    advice: "leave to use up limits (--allow exhausts), with --max-wait 4m: adds up to 2 min",
    rules: 2,
    waitSeconds: 120,
  });
});

test("limits of organizations that a hook makes need no leave, those of a given one do", () => {
  const hooks = { new_organization: hook };
  expect(unlockText(burst, means())).toContain("--allow exhausts");
  expect(stepsOf([burst], means({ hooks: { ...hooks, advance: hook } }))).toEqual([]);
  const ofUser = { ...burst, needs: ["full-bucket", "session"] } as const;
  expect(unlockText(ofUser, means({ hooks, secrets: { session_token: "session" } }))).toContain("--allow exhausts");
});

test("ways are found however much a check lacks, and tell a hook once with what it sets", () => {
  const quiet = madeUpCheck({ needs: ["quiet-hours", "manual-clock", "chosen-time"], effects: ["sends"] });
  expect(unlockText(quiet, means())).toBe(
    "give the kit a sandbox (BYLAW_SANDBOX_TOKEN); or leave to send messages (--allow sends), an advance hook (hooks in target.yaml), a new_organization hook that sets starts_at (its settings in target.yaml) and a new_organization hook that sets quiet_hours (its settings in target.yaml)",
  );
  expect(stepsOf([quiet], means())).toEqual([
    ["sandbox", 1],
    ["allow-sends + advance + new_organization-starts-at + new_organization-quiet-hours", 1],
  ]);
});

test("ways that differ in a setting of a hook alone are told by the one with the most to gain", () => {
  const checks = [
    madeUpCheck({ id: "made-up.wallet", rules: ["BIL-01", "BIL-02"], needs: ["wallet", "state"] }),
    madeUpCheck({ id: "made-up.reseller", rules: ["BRD-01"], needs: ["reseller-mode", "state"] }),
  ];
  expect(stepsOf(checks, means())).toEqual([
    ["sandbox", 3],
    ["organization_state + new_organization-is-reseller + new_organization-wallet-micros", 3],
    ["organization_state + new_organization-wallet-micros", 2],
  ]);
});
