import type { Verdict } from "../outcome/verdict.ts";
import type { Results, ResultsRule } from "../reports/results-json.ts";
import { isDecided } from "../runner/run-result.ts";
import { type Condition, conditionsOf } from "./conditions.ts";

/** How a rule of the later run stands to the earlier one, what asks for attention first. */
export const changes = [
  "newly broken",
  "broken in more checks",
  "newly warned about",
  "no longer decided",
  "decided for fewer operations",
  "no longer in the run",
  "fixed",
  "newly decided",
  "still broken",
  "still warned about",
  "newly in the run",
  "alike",
] as const;
export type Change = (typeof changes)[number];

/** How a rule stood after one run. */
export interface Standing {
  readonly verdict: Verdict;
  /** Why the verdict is what it is; empty for a pass. */
  readonly message: string;
  /** Ids of the checks that saw it broken, or warned of it. */
  readonly brokenIn: readonly string[];
  /** For how many operations it was decided, and of how many; null where that is not counted. */
  readonly coverage: { readonly decided: number; readonly of: number } | null;
}

export interface RuleComparison {
  readonly id: string;
  readonly says: string;
  readonly change: Change;
  /** Null where that run did not set out to decide the rule. */
  readonly before: Standing | null;
  readonly after: Standing | null;
  /** Checks that saw it broken now, and did not before. */
  readonly newlyIn: readonly string[];
}

/** One run against an earlier one. */
export interface Comparison {
  readonly format: 1;
  /** What the runs were made with, and what of it differs: it may explain all the rest. */
  readonly conditions: readonly Condition[];
  /** Every rule of either run, by id. */
  readonly rules: readonly RuleComparison[];
  readonly counts: Readonly<Record<Change, number>>;
  /** 1 where something is broken that was not. */
  readonly exitCode: 0 | 1;
}

/** Compares what two runs found, rule by rule. */
export function compareResults(before: Results, after: Results): Comparison {
  const earlier = new Map(before.rules.map((rule) => [rule.id, rule]));
  const later = new Map(after.rules.map((rule) => [rule.id, rule]));
  const ids = [...new Set([...earlier.keys(), ...later.keys()])].sort();
  const rules = ids.flatMap((id) => comparedRule(earlier.get(id), later.get(id)) ?? []);
  const countOf = (change: Change): number => rules.filter((rule) => rule.change === change).length;
  const counts = Object.fromEntries(changes.map((change) => [change, countOf(change)])) as Record<Change, number>;
  const isWorse = counts["newly broken"] + counts["broken in more checks"] > 0;
  return { format: 1, conditions: conditionsOf(before, after), rules, counts, exitCode: isWorse ? 1 : 0 };
}

function comparedRule(before: ResultsRule | undefined, after: ResultsRule | undefined): RuleComparison | null {
  const known = after ?? before;
  if (known === undefined) return null;
  const [was, is] = [standingOf(before), standingOf(after)];
  const newlyIn = (is?.brokenIn ?? []).filter((check) => was?.brokenIn.includes(check) !== true);
  return { id: known.id, says: known.says, change: changeOf(was, is), before: was, after: is, newlyIn };
}

function standingOf(rule: ResultsRule | undefined): Standing | null {
  if (rule === undefined) return null;
  const { verdict, message, failures, coverage } = rule;
  const breaches = failures.filter((failure) => failure.verdict === verdict && isBroken(verdict));
  return {
    ...{ verdict, message, brokenIn: [...new Set(breaches.map(({ check }) => check))] },
    coverage: coverage && { decided: coverage.decided, of: coverage.of },
  };
}

const isBroken = (verdict: Verdict): boolean => verdict === "fail" || verdict === "warn";

function changeOf(before: Standing | null, after: Standing | null): Change {
  if (after === null) return "no longer in the run";
  const was = before?.verdict ?? null;
  const is = after.verdict;
  if (is === "fail") {
    if (was !== "fail") return "newly broken";
    return after.brokenIn.every((check) => before?.brokenIn.includes(check)) ? "still broken" : "broken in more checks";
  }
  if (is === "warn") return was === "warn" ? "still warned about" : "newly warned about";
  if (!isDecided(is)) {
    if (was === null) return "newly in the run";
    return isDecided(was) ? "no longer decided" : "alike";
  }
  if (was === null || !isDecided(was)) return "newly decided";
  if (isBroken(was)) return "fixed";
  const gained = shareOf(after) - shareOf(before);
  return gained < 0 ? "decided for fewer operations" : gained > 0 ? "newly decided" : "alike";
}

/** The share of its operations for which a rule was decided. */
const shareOf = (standing: Standing | null): number => {
  const { decided, of } = standing?.coverage ?? { decided: 1, of: 1 };
  return of === 0 ? 1 : decided / of;
};
