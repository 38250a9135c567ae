import type { RuleResult, RunResult } from "../runner/run-result.ts";
import type { FailureGroup } from "./failure-groups.ts";
import { areaOf } from "./rule-counts.ts";

/** Checks that are told. */
const mostTold = 3;

/**
 * What checks did that found what is nearest to a group to hold: its first rule, else rules of the same operation and area.
 * The fault lies where these did something else.
 */
export function heldTexts(result: RunResult, { check, rules: [first], operations }: FailureGroup): readonly string[] {
  // Where a rule binds many operations, what differs is the operation.
  if (first === undefined || operations.length > 1) return [];
  const nearness = nearnessOf(result, first);
  const near = (id: string): number => nearness.get(id) ?? 0;
  const whole = new Set(first.findings.filter(({ verdict }) => verdict !== "pass").map((finding) => finding.check));
  return result.checks
    .filter(({ id, operation }) => operation === null && !whole.has(id) && near(id) > 0)
    .toSorted(
      (one, other) => near(other.id) - near(one.id) || sharedStart(other.id, check) - sharedStart(one.id, check),
    )
    .slice(0, mostTold)
    .map(({ title }) => title);
}

/** How near what a check found to hold is to a rule: 2 for that rule, 1 for one of the same operation and area. */
function nearnessOf({ rules }: RunResult, first: RuleResult): ReadonlyMap<string, number> {
  const nearness = new Map<string, number>();
  const failed = new Set<string>();
  for (const result of rules) {
    const isFirst = result.id === first.id;
    const isNear = isFirst || (result.rule.about === first.rule.about && areaOf(result.id) === areaOf(first.id));
    for (const { check, verdict } of result.findings) {
      if (verdict === "fail" || verdict === "warn") failed.add(check);
      if (isNear && verdict === "pass") nearness.set(check, Math.max(nearness.get(check) ?? 0, isFirst ? 2 : 1));
    }
  }
  // Beside what is broken, that something held does not say what was done otherwise.
  return new Map([...nearness].filter(([check, near]) => near === 2 || !failed.has(check)));
}

function sharedStart(one: string, other: string): number {
  const at = [...one].findIndex((letter, index) => letter !== other[index]);
  return at < 0 ? one.length : at;
}
