import type { RuleResult, RunResult } from "../runner/run-result.ts";
import { deviationOf } from "./deviation.ts";
import type { FailureGroup } from "./failure-groups.ts";
import { areaOf } from "./rule-counts.ts";

/** Checks that are told: what lies further off decides nothing. */
const mostTold = 1;

/**
 * What checks did that found what is nearest to a group to hold: its first rule, else rules of the same area or checks of
 * the same family, about what it is about or the operation that shows it. Beside a check of one operation these are others of
 * that operation alone.
 * The fault lies where these did something else.
 */
export function heldTexts(result: RunResult, group: FailureGroup): readonly string[] {
  const {
    check,
    rules: [first],
    operations,
    finding,
  } = group;
  // Where a rule binds many operations, what differs is the operation.
  if (first === undefined || operations.length > 1) return [];
  const nearness = nearnessOf(result, first, new Set([first.rule.about, deviationOf(finding).operation]));
  const operation = result.checks.find(({ id }) => id === check)?.operation ?? null;
  const near = (id: string): number => nearness.get(id) ?? 0;
  const whole = new Set(first.findings.filter(({ verdict }) => verdict !== "pass").map((finding) => finding.check));
  return result.checks
    .filter(
      (one) =>
        one.operation === operation &&
        !whole.has(one.id) &&
        near(one.id) > (familyOf(one.id) === familyOf(check) ? 0 : 1),
    )
    .toSorted(
      (one, other) => near(other.id) - near(one.id) || sharedStart(other.id, check) - sharedStart(one.id, check),
    )
    .slice(0, mostTold)
    .map(({ title }) => title);
}

/**
 * How near what a check found to hold is to a rule: 3 for that rule, 2 for one of the same area about one of these, 1 for any
 * about one of these.
 */
function nearnessOf(
  { rules }: RunResult,
  first: RuleResult,
  about: ReadonlySet<string | null>,
): ReadonlyMap<string, number> {
  const nearness = new Map<string, number>();
  const failed = new Set<string>();
  for (const { id, rule, findings } of rules) {
    const isNear = about.has(rule.about);
    const near = id === first.id ? 3 : isNear && areaOf(id) === areaOf(first.id) ? 2 : Number(isNear);
    for (const { check, verdict } of findings) {
      if (verdict === "fail" || verdict === "warn") failed.add(check);
      if (near > 0 && verdict === "pass") nearness.set(check, Math.max(nearness.get(check) ?? 0, near));
    }
  }
  // Beside what is broken, that something held does not say what was done otherwise.
  return new Map([...nearness].filter(([check, near]) => near === 3 || !failed.has(check)));
}

/** What the ids of checks of one kind begin with. */
const familyOf = (check: string): string => check.split(".")[0] ?? "";

function sharedStart(one: string, other: string): number {
  const at = [...one].findIndex((letter, index) => letter !== other[index]);
  return at < 0 ? one.length : at;
}
