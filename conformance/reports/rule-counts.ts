import type { Verdict } from "../outcome/verdict.ts";
import { isDecided, isPartial, type RuleResult, type RunResult } from "../runner/run-result.ts";

/** How many rules stand how. */
export interface RuleCounts extends Readonly<Record<Verdict, number>> {
  readonly rules: number;
  readonly decided: number;
  /** Those of them that were not decided for every operation that they bind. */
  readonly partial: number;
}

export function countsOf(rules: readonly RuleResult[]): RuleCounts {
  const of = (verdict: Verdict): number => rules.filter((r) => r.verdict === verdict).length;
  return {
    rules: rules.length,
    decided: rules.filter((r) => isDecided(r.verdict)).length,
    partial: rules.filter(isPartial).length,
    pass: of("pass"),
    fail: of("fail"),
    warn: of("warn"),
    blocked: of("blocked"),
    not_applicable: of("not_applicable"),
    observed: of("observed"),
    kit_error: of("kit_error"),
  };
}

/** The part of a rule's id that names its area: `KEYC` of `KEYC-15`. */
export const areaOf = (ruleId: string): string => ruleId.split("-")[0] ?? ruleId;

/** The rules by area, in the order of the result. */
export function rulesByArea({ rules }: RunResult): ReadonlyMap<string, readonly RuleResult[]> {
  return Map.groupBy(rules, (rule) => areaOf(rule.id));
}
