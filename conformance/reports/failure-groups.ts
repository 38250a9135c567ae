import type { OperationId } from "../../generated/operations.ts";
import { monitorId } from "../monitor/monitor.ts";
import type { Finding, ToldFinding } from "../outcome/verdict.ts";
import { type Coverage, isPartial, type RuleResult, type RunResult } from "../runner/run-result.ts";

/** Breaches of several rules that one check saw in one way. */
export interface FailureGroup {
  readonly verdict: "fail" | "warn" | "kit_error";
  readonly check: string;
  /** The check's sentence. */
  readonly title: string | null;
  readonly rules: readonly RuleResult[];
  /** Operations at which it was seen, when the check is one of several that do the same at one operation each. */
  readonly operations: readonly OperationId[];
  /** The finding that shows it best. */
  readonly finding: ToldFinding;
}

/** Findings of this verdict, those with one cause together; the cause that breaks most rules first. */
export function failureGroups(result: RunResult, verdict: FailureGroup["verdict"]): readonly FailureGroup[] {
  const seen = result.rules.flatMap((rule) =>
    rule.findings.filter((f) => f.verdict === verdict).map((finding) => ({ rule, finding })),
  );
  const checks = new Map(result.checks.map((check) => [check.id, check]));
  const operationOf = (finding: Finding): OperationId | null => checks.get(finding.check)?.operation ?? null;
  // Checks that do the same at one operation each see one cause.
  const familyOf = (finding: Finding): string => {
    const operation = operationOf(finding);
    return operation === null ? finding.check : finding.check.slice(0, -operation.length);
  };
  const groups = Map.groupBy(seen, ({ finding: f }) => JSON.stringify([familyOf(f), ...causeOf(f)]));
  return [...groups.values()]
    .flatMap((members): readonly FailureGroup[] => {
      const [first] = members;
      if (first === undefined) return [];
      const { check } = first.finding;
      const title = check === monitorId ? "holds for every answer of the run" : checks.get(check)?.title;
      const finding = members.find((m) => m.finding.exchanges.length > 0)?.finding ?? first.finding;
      const operations = new Set(members.map((m) => operationOf(m.finding)).filter((operation) => operation !== null));
      return [
        {
          ...{ verdict, check, title: title ?? null, finding },
          rules: [...new Set(members.map((m) => m.rule))],
          operations: [...operations],
        },
      ];
    })
    .sort((a, b) => b.rules.length - a.rules.length);
}

/** Two findings of a check with the same cause say the same; those without expectation are told apart by message. */
const causeOf = ({ expected, actual, message }: Finding): readonly (string | null)[] =>
  expected === null ? [message] : [expected, actual];

/** What the message says beyond expectation and observation; empty when it repeats them. */
export function remarkOf({ message, expected, actual }: Finding): string {
  const known = `expected ${expected}, got ${actual}`;
  return message.startsWith(known) ? message.slice(known.length).replace(/^[;,\s]+/, "") : message;
}

/** Rules that were decided for the same operations only. */
export interface PartialGroup {
  readonly coverage: Coverage;
  readonly rules: readonly RuleResult[];
}

export function partialGroups(result: RunResult): readonly PartialGroup[] {
  const partial = result.rules.filter(isPartial);
  return [...Map.groupBy(partial, ({ coverage }) => JSON.stringify(coverage)).values()].flatMap((rules) => {
    const coverage = rules[0]?.coverage ?? null;
    return coverage === null ? [] : [{ coverage, rules }];
  });
}

/** Rules without a decision that lack the same thing. */
export interface UndecidedGroup {
  readonly message: string;
  /** The cheapest way to decide them; null when there is none. */
  readonly unblock: string | null;
  readonly rules: readonly RuleResult[];
}

export function undecidedGroups(result: RunResult): readonly UndecidedGroup[] {
  const undecided = result.rules.filter((r) => r.verdict === "blocked" || r.verdict === "not_applicable");
  const withReason = undecided.map((rule) => ({ rule, unblock: unblockOf(rule) }));
  const groups = Map.groupBy(withReason, ({ rule, unblock }) => JSON.stringify([rule.message, unblock]));
  return [...groups.values()]
    .flatMap((members): readonly UndecidedGroup[] => {
      const [first] = members;
      if (first === undefined) return [];
      return [{ message: first.rule.message, unblock: first.unblock, rules: members.map((m) => m.rule) }];
    })
    .sort((a, b) => b.rules.length - a.rules.length);
}

/** What would decide a blocked rule; null when it is decided or nothing would. */
export const unblockOf = (rule: RuleResult): string | null =>
  rule.findings.find((f) => f.verdict === "blocked" && f.message === rule.message)?.unblock ?? null;
