import type { OperationId } from "../../generated/operations.ts";
import type { Rule } from "../../generated/runtime/rule.ts";
import type { Effect } from "../arrangements/effect.ts";
import type { ToldFinding, Verdict } from "../outcome/verdict.ts";
import type { LeftBehind } from "../provision/left-behind.ts";
import type { Baselined } from "./baseline.ts";

/** Which rules a run sets out to decide: those that a URL and one key reach, or all. */
export type Profile = "core" | "full";

/** What a run found. Exchanges in it are redacted. */
export interface RunResult {
  readonly format: 1;
  /** Version of the kit. */
  readonly kitVersion: string;
  readonly contract: { readonly title: string; readonly version: string; readonly digest: string };
  readonly target: {
    readonly baseUrl: string;
    readonly sandbox: boolean;
    /** Names of the resources that it serves; null for all of them. */
    readonly implements: readonly string[] | null;
    /** Flags that name it on a command line, such as `--target target.yaml`. */
    readonly flags: readonly string[];
  };
  readonly profile: Profile;
  /** Leave that was given for what is not harmless. */
  readonly allow: readonly Effect[];
  /** Filters: ids of checks or rules, or areas; empty where none was given. */
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly seed: number;
  readonly runs: number;
  readonly jobs: number;
  /** RFC 3339. */
  readonly startedAt: string;
  readonly durationMs: number;
  /** Requests sent to the API. */
  readonly requests: number;
  /** What was asked of the sandbox besides. */
  readonly sandboxCalls: number;
  /** Seconds spent waiting on purpose. */
  readonly waitedSeconds: number;
  /** Why the run ended before all was done; null when it did not. */
  readonly interrupted: string | null;
  /** What was run and judged, in a sentence; null where nothing was asked for in particular. */
  readonly scope: string | null;
  /** One for each rule that the profile sets out to decide and the filters left in. */
  readonly rules: readonly RuleResult[];
  readonly checks: readonly CheckResult[];
  /** What stays behind on the target. */
  readonly leftBehind: readonly LeftBehind[];
  readonly nextSteps: readonly NextStep[];
  /** What it says about the failures that were known before; null where no baseline was given. */
  readonly baseline: Baselined | null;
}

export interface RuleResult {
  readonly id: string;
  readonly rule: Rule;
  readonly verdict: Verdict;
  /** Why the verdict is what it is; empty for a pass. */
  readonly message: string;
  /** For which operations the rule was decided; null for a rule that is not decided operation by operation. */
  readonly coverage: Coverage | null;
  readonly findings: readonly ToldFinding[];
}

/** Of the operations that a rule binds and the target serves, those for which it was decided. */
export interface Coverage {
  readonly decided: number;
  readonly of: number;
  readonly missing: readonly MissingOperation[];
}

/** An operation for which a rule was not decided. */
export interface MissingOperation {
  readonly operation: OperationId;
  readonly message: string;
  /** The cheapest way to decide it; null when there is none. */
  readonly unblock: string | null;
}

export interface CheckResult {
  readonly id: string;
  readonly title: string;
  /** The operation for which it decides its rules; null for a check of no single one. */
  readonly operation: OperationId | null;
  readonly verdict: Verdict;
  readonly durationMs: number;
  /** Requests that the check sent itself, without those that arrange what it shares with others. */
  readonly requests: number;
}

/** What to give the kit, and how many more rules it would decide. */
export interface NextStep {
  /** Names of what is given: one thing, or several that are worth more together. */
  readonly gives: readonly string[];
  /** In words that tell what to do. */
  readonly advice: string;
  readonly rules: number;
  /** Seconds of waiting that come with it, at most. */
  readonly waitSeconds: number;
}

/** Verdicts that say something about the target. */
export const isDecided = (verdict: Verdict): boolean =>
  verdict === "pass" || verdict === "fail" || verdict === "warn" || verdict === "observed";

/** Whether a rule was decided, but not for every operation that it binds. */
export const isPartial = ({ verdict, coverage }: RuleResult): boolean =>
  isDecided(verdict) && coverage !== null && coverage.decided < coverage.of;

/**
 * Returns true if a check decided anything, and a rule of the run was decided. A check may decide other rules alone, and any
 * response may keep what every response must keep.
 */
export const isConclusive = ({ checks, rules }: RunResult): boolean =>
  checks.some(({ verdict }) => isDecided(verdict)) && rules.some(({ verdict }) => isDecided(verdict));

/** Whether a rule is broken in ways that the baseline knows, and in no other. */
export const isKnown = ({ baseline }: Pick<RunResult, "baseline">, { id }: Pick<RuleResult, "id">): boolean =>
  baseline?.rules.includes(id) === true;

/** 0: no new violation, and a check decided a rule of the run; 1: one, or a stale baseline; 2: the run itself failed. */
export function exitCodeOf(result: RunResult): 0 | 1 | 2 {
  const has = (verdict: Verdict): boolean => result.rules.some((r) => r.verdict === verdict);
  if (result.rules.some((rule) => rule.verdict === "fail" && !isKnown(result, rule))) return 1;
  if ((result.baseline?.stale.length ?? 0) > 0) return 1;
  if (result.interrupted !== null || has("kit_error")) return 2;
  return isConclusive(result) ? 0 : 2;
}
