import type { Effect } from "../arrangements/effect.ts";
import { allChecks } from "../checks/all-checks.ts";
import { monitorId } from "../monitor/monitor.ts";
import { type Finding, isBreach } from "../outcome/verdict.ts";
import type { RuleResult, RunResult } from "../runner/run-result.ts";
import { shellQuoted } from "./shell-quoted.ts";

/** The command that runs a finding's check again at the same target with the same values; secrets come from the environment. */
export function replayCommand({ seed, profile, target }: RunResult, finding: Finding): string {
  const { counterexample } = finding;
  // What the monitor saw in the course of one check is seen there again, or else by all of them.
  const check = finding.check === monitorId ? (finding.during ?? null) : finding.check;
  const only = check === null ? [] : ["--only", check];
  const path = counterexample === null ? [] : ["--path", counterexample.path];
  const reach = ["--profile", profile];
  const effects = target.sandbox || check === null ? [] : leaveFor(check);
  const leave = effects.length === 0 ? [] : ["--allow", effects.join(",")];
  const words = [...target.flags, ...only, ...reach, ...leave, "--seed", String(seed), ...path];
  return `npx bylaw verify ${words.map(shellQuoted).join(" ")}`;
}

/**
 * The command that prints what led to a finding as a script, of the results that a file has; null where that prints another
 * finding of these rules.
 */
export function storyCommand(file: string, rules: readonly RuleResult[], finding: Finding): string | null {
  const printed = ({ findings, verdict }: RuleResult): Finding | undefined =>
    findings.find((one) => isBreach(one) && one.verdict === verdict);
  const rule = rules.find((one) => printed(one) === finding);
  return rule === undefined ? null : `npx bylaw replay ${shellQuoted(file)} ${rule.id} --script`;
}

/** Effects of a check that want leave. */
export const leaveFor = (check: string): readonly Effect[] =>
  (allChecks.find((c) => c.id === check)?.effects ?? []).filter((e) => e !== "reads" && e !== "creates");
