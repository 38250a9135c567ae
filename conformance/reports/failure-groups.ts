import type { OperationId } from "../../generated/operations.ts";
import { monitorId } from "../monitor/monitor.ts";
import type { Finding, Likely, ToldFinding } from "../outcome/verdict.ts";
import { isPartial, type RuleResult, type RunResult } from "../runner/run-result.ts";
import type { AlikeRow } from "../story/calls-alike.ts";
import { contrastTexts } from "./contrast-text.ts";
import { deviationOf, exactnessOf } from "./deviation.ts";
import { hangingOn } from "./hanging-on.ts";

/** What of a breach helps to see the fault. */
export type Hints = Pick<FailureGroup, "finding" | "likely" | "apart" | "askedAgain" | "contrasts" | "alike">;

/** Breaches of several rules that one check saw in one way. */
export interface FailureGroup {
  readonly verdict: "fail" | "warn" | "kit_error";
  readonly check: string;
  /** The check's sentence. */
  readonly title: string | null;
  /** Those that say most exactly what is wrong first. */
  readonly rules: readonly RuleResult[];
  /** Operations at which it was seen, by the monitor or by checks that do the same at one operation each. */
  readonly operations: readonly string[];
  /** The finding that shows it best. */
  readonly finding: ToldFinding;
  /** What is likely wrong, by that finding or by another of the same cause. */
  readonly likely: readonly Likely[];
  /** What came when the call was made again, by that finding or by another of the same cause. */
  readonly askedAgain: readonly string[];
  /** What went the other way, in words: by that finding, and by others of the same cause what differs in something else. */
  readonly contrasts: readonly string[];
  /** How calls like it fared, by that finding or by another of the same cause. */
  readonly alike: readonly AlikeRow[];
  /** What sets calls apart that failed from those like them, by that finding or by another of the same cause. */
  readonly apart: string | null;
  /** With what value or calls a property saw it, by that finding or by another of the same cause. */
  readonly counterexample: string | null;
  /** All of them. */
  readonly findings: readonly ToldFinding[];
  /** How often it was seen. */
  readonly times: number;
}

/** Everything that was found, what one check saw in one way together. */
export function failureGroups(result: RunResult): readonly FailureGroup[] {
  const seen = result.rules.flatMap((rule) =>
    rule.findings.filter(isFailure).map((finding) => ({ rule, finding, verdict: finding.verdict })),
  );
  const checks = new Map(result.checks.map((check) => [check.id, check]));
  const operationOf = (finding: Finding): OperationId | null => checks.get(finding.check)?.operation ?? null;
  // Checks that do the same at one operation each see one cause.
  const familyOf = (finding: Finding): string => {
    const operation = operationOf(finding);
    return operation === null ? finding.check : finding.check.slice(0, -operation.length);
  };
  const groups = Map.groupBy(seen, ({ finding: f }) => JSON.stringify([familyOf(f), f.verdict, ...textsOf(f)]));
  return [...groups.values()].flatMap((members): readonly FailureGroup[] => {
    const [first] = members;
    if (first === undefined) return [];
    const { check } = first.finding;
    const findings = members.map((member) => member.finding);
    const evident = findings
      .filter((f) => f.exchanges.length > 0)
      .toSorted((a, b) => (stepsOf(a) < stepsOf(b) ? -1 : stepsOf(a) > stepsOf(b) ? 1 : 0));
    const [finding = first.finding] = evident.toSorted((a, b) => tellingOf(b) - tellingOf(a));
    // The sentence of the check that is shown: of others it names another operation.
    const title = check === monitorId ? "holds for every answer of the run" : checks.get(finding.check)?.title;
    const at = new Set([
      ...findings.map(operationOf).filter((operation) => operation !== null),
      ...findings.flatMap(({ operations = [] }) => operations),
    ]);
    const rules = [...new Set(members.map((m) => m.rule))];
    const deviation = deviationOf(finding);
    const shown = new Set(findings.map((f) => deviationOf(f).operation));
    return [
      {
        ...{ verdict: first.verdict, check, title: title ?? null, finding, likely: finding.likely, findings },
        askedAgain: finding.askedAgain,
        apart: finding.tally?.apart ?? null,
        contrasts: contrastTexts(finding),
        alike: finding.tally?.rows ?? [],
        counterexample: finding.counterexample?.value ?? null,
        rules: rules.toSorted((a, b) => exactnessOf(b, deviation, shown) - exactnessOf(a, deviation, shown)),
        operations: [...at],
        times: Math.max(...rules.map((rule) => members.filter((m) => m.rule === rule).length)),
      },
    ];
  });
}

/** How much is known of a finding beside what came: a guess says more than what came when it was asked again. */
const tellingOf = ({ likely, askedAgain }: ToldFinding): number =>
  2 * Number(likely.length > 0) + Number(askedAgain.length > 0);

/** How much was done until a finding: the less, the nearer is what shows it to the fault. */
export const stepsOf = ({ told }: Pick<ToldFinding, "told">): number =>
  told === null ? Number.POSITIVE_INFINITY : told.steps.length + told.omitted;

/** Two findings of a check that say the same deviate in one way; of a status it matters in place of which it came. */
const textsOf = (finding: ToldFinding): readonly string[] => {
  const { came, admitted, expected, actual } = deviationOf(finding);
  return came === null ? [expected, actual] : [admitted, actual];
};

const isFailure = (finding: ToldFinding): finding is ToldFinding & { readonly verdict: FailureGroup["verdict"] } =>
  finding.verdict === "fail" || finding.verdict === "warn" || finding.verdict === "kit_error";

/** What the message says beyond expectation and observation; empty when it repeats them. */
export function remarkOf({ message, expected, actual }: Finding): string {
  const known = `expected ${expected}, got ${actual}`;
  return message.startsWith(known) ? message.slice(known.length).replace(/^[;,\s]+/, "") : message;
}

/** What kept rules that were decided elsewhere from being decided at some operations. */
export interface PartialGroup {
  readonly message: string;
  /** What would decide them there too; null when nothing would. */
  readonly unblock: string | null;
  /** Operations at which one of the rules was not decided for it. */
  readonly operations: readonly OperationId[];
  readonly rules: readonly RuleResult[];
}

/** Why rules were decided in part only, the reason with the most operations first. */
export function partialGroups(result: RunResult): readonly PartialGroup[] {
  const missing = result.rules
    .filter(isPartial)
    .flatMap((rule) => (rule.coverage?.missing ?? []).map((missed) => ({ rule, ...missed })));
  const groups = Map.groupBy(missing, ({ message, unblock }) => JSON.stringify([message, unblock]));
  return [...groups.values()]
    .flatMap((members): readonly PartialGroup[] => {
      const [first] = members;
      if (first === undefined) return [];
      const { message, unblock } = first;
      const operations = [...new Set(members.map((m) => m.operation))];
      return [{ message, unblock, operations, rules: [...new Set(members.map((m) => m.rule))] }];
    })
    .sort((a, b) => b.operations.length - a.operations.length);
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
  const hangsOn = hangingOn(result);
  const withReason = undecided.map((rule) => ({ rule, unblock: hangsOn(rule) ?? unblockOf(rule) }));
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
