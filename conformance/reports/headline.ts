import { isConclusive, type Profile, type RunResult } from "../runner/run-result.ts";
import { baselineHead } from "./baseline-text.ts";
import { counted } from "./counted.ts";
import { printableLine } from "./printable.ts";
import { countsOf } from "./rule-counts.ts";

export const profileNames: Readonly<Record<Profile, string>> = { core: "Core", full: "Full" };

/** What stands above the next steps: a core run takes none of them. */
export const furtherHead = (profile: Profile): string =>
  profile === "full" ? "To decide more" : "To decide more, with --profile full";

/** The run in one line, such as "no violation; 12 of 14 Core rules decided, 2 of them in part". */
export function headlineOf(result: RunResult): string {
  const { rules, decided, partial, fail, warn, kit_error } = countsOf(result.rules);
  const { baseline } = result;
  const open = fail - (baseline?.rules.length ?? 0);
  const violation = baseline === null ? "violation" : "new violation";
  const none = isConclusive(result) ? `no ${violation}` : "no check could decide anything";
  const violations = open > 0 ? counted(open, violation) : decided === 0 ? null : none;
  const parts = [
    result.interrupted === null ? null : printableLine(result.interrupted),
    violations,
    baseline === null ? null : baselineHead(baseline),
    warn === 0 ? null : counted(warn, "warning"),
    kit_error === 0 ? null : counted(kit_error, "kit error"),
    `${decided === 0 ? "none" : decided} of ${rules} ${profileNames[result.profile]} rules decided${partial === 0 ? "" : `, ${partial} of them in part`}`,
  ];
  return parts.filter((part) => part !== null).join("; ");
}
