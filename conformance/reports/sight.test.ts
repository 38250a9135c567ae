import { expect, test } from "vitest";
import type { ToldFinding } from "../outcome/verdict.ts";
import type { ToldStep } from "../story/step.ts";
import { failureGroups } from "./failure-groups.ts";
import { exchange, finding, madeUpRun, rule, ruleResult } from "./made-up-run.ts";
import { nearestTo, sightOf } from "./sight.ts";

const step: ToldStep = {
  ...{ through: "api", what: null, exchange: null, seconds: null, at: 1, gives: [] },
  ...{ request: null, outcome: null },
};

/** A refusal that came behind so many steps. */
const refused = (id: ToldFinding["rule"], check: string, steps: number, more: Partial<ToldFinding> = {}) =>
  ruleResult(id, rule(id), "fail", [
    finding(id, check, "fail", {
      ...{ expected: `what ${id} says`, actual: "402", exchanges: [exchange(steps, 402, "")] },
      came: { status: 402, code: "POOR", isSuccess: false },
      told: { omitted: 0, steps: Array.from({ length: steps }, () => step) },
      ...more,
    }),
  ]);

const nearestOf = (...rules: readonly ReturnType<typeof refused>[]): string | undefined => {
  const sights = failureGroups({ ...madeUpRun, rules }).map(sightOf);
  const [first] = sights;
  return first && nearestTo(first, sights).group.rules[0]?.id;
};

test("of what one check saw refused alike, what it saw first is nearest", () => {
  expect(nearestOf(refused("KEYC-15", "a", 9), refused("KEYC-16", "a", 4), refused("KEYC-17", "a", 6))).toBe("KEYC-16");
});

test("of what one answer shows, the rule of the refusal that came leads", () => {
  const poor = { came: { status: 402, code: "BELOW_MINIMUM_CREDIT", isSuccess: false } } as const;
  const [one, other] = [refused("KEYC-15", "a", 4, poor), refused("KEYC-16", "a", 4, poor)];
  expect(nearestOf(one, { ...other, rule: { ...other.rule, about: "BelowMinimumCredit" } })).toBe("KEYC-16");
  expect(nearestOf(one, other)).toBe("KEYC-15");
});

test("what another check saw, or another answer, is not looked at", () => {
  expect(nearestOf(refused("KEYC-15", "a", 9), refused("KEYC-16", "b", 4))).toBe("KEYC-15");
  const other = { came: { status: 409, code: "OTHER", isSuccess: false } } as const;
  expect(nearestOf(refused("KEYC-15", "a", 9), refused("KEYC-16", "a", 4, other))).toBe("KEYC-15");
});
