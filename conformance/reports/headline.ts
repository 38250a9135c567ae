import { isConclusive, type Profile, type RuleResult, type RunResult } from "../runner/run-result.ts";
import { baselineHead } from "./baseline-text.ts";
import { causesOf } from "./causes.ts";
import { counted } from "./counted.ts";
import { printableLine } from "./printable.ts";
import { questionsOf } from "./red-class.ts";
import { countsOf } from "./rule-counts.ts";

export const profileNames: Readonly<Record<Profile, string>> = { core: "Core", full: "Full" };

/** What stands above the next steps: a core run takes none of them. */
export const furtherHead = (profile: Profile): string =>
  profile === "full" ? "To decide more" : "To decide more, with --profile full";

/** Rules that are broken whatever open questions are read as, and warn alone. */
export const certainWarnings = ({ rules }: RunResult): readonly RuleResult[] =>
  rules.filter((rule) => rule.verdict === "warn" && questionsOf(rule).length === 0);

/**
 * That rules warn where nothing fails: how many in all, how many of them whatever open questions are read as, and where to
 * read of the first of these. Null where none of those does.
 */
function butText(result: RunResult, warn: number): string | null {
  const rules = certainWarnings(result);
  if (rules.length === 0) return null;
  const causes = causesOf(result);
  const number = causes.findIndex((cause) => rules.some((rule) => cause.rules.includes(rule))) + 1;
  const where = causes.length > 1 ? `: see cause ${number}` : "";
  const hanging = `${rules.length} of which ${rules.length === 1 ? "hangs" : "hang"} on no open question`;
  const certain = rules.length === warn ? "" : `, ${hanging}`;
  return `, but ${counted(warn, "warning")}${certain}${where}`;
}

/** The run in one line, such as "no violation; 12 of 14 Core rules decided, 2 of them in part". */
export function headlineOf(result: RunResult): string {
  const { rules, decided, partial, fail, warn, kit_error } = countsOf(result.rules);
  const { baseline } = result;
  const open = fail - (baseline?.rules.length ?? 0);
  const violation = baseline === null ? "violation" : "new violation";
  const none = isConclusive(result) ? `no ${violation}` : "no check could decide anything";
  const but = open > 0 || decided === 0 ? null : butText(result, warn);
  const violations = open > 0 ? counted(open, violation) : decided === 0 ? null : none + (but ?? "");
  const parts = [
    result.interrupted === null ? null : printableLine(result.interrupted),
    violations,
    baseline === null ? null : baselineHead(baseline),
    warn === 0 || but !== null ? null : counted(warn, "warning"),
    kit_error === 0 ? null : counted(kit_error, "kit error"),
    `${decided === 0 ? "none" : decided} of ${rules} ${profileNames[result.profile]} rules decided${partial === 0 ? "" : `, ${partial} of them in part`}`,
  ];
  return parts.filter((part) => part !== null).join("; ");
}
