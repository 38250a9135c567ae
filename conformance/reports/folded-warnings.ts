import { isKnown, type RuleResult, type RunResult } from "../runner/run-result.ts";
import type { Cause } from "./cause-of.ts";
import { seenText } from "./cause-text.ts";
import { causesOf } from "./causes.ts";
import { counted } from "./counted.ts";
import { countsOf } from "./rule-counts.ts";

/** The causes that a report shows at length, and the warnings that it reduces to a line each next to violations. */
export interface ReportedCauses {
  /** In the order of the report. */
  readonly causes: readonly Cause[];
  /** Null if the report shows all warnings at length. */
  readonly warnings: FoldedWarnings | null;
}

export interface FoldedWarnings {
  /** Rules with the verdict `warn`, as the headline counts them. */
  readonly count: number;
  /** Warnings that belong to a cause of the report, and are shown with it. */
  readonly withCauses: number;
  /** All causes that only warn. */
  readonly causes: readonly Cause[];
  /** Causes with a warning that no earlier entry has. */
  readonly entries: readonly FoldedWarning[];
}

export interface FoldedWarning {
  readonly cause: Cause;
  readonly rules: readonly RuleResult[];
}

/** Separates warnings from violations. A run without new violations shows its warnings at length. */
export function reportedCauses(result: RunResult): ReportedCauses {
  const all = causesOf(result);
  const hasNewViolation = result.rules.some((rule) => rule.verdict === "fail" && !isKnown(result, rule));
  const isFolded = ({ verdict, isLeak }: Cause): boolean => verdict === "warn" && !isLeak;
  if (!hasNewViolation || !all.some(isFolded)) return { causes: all, warnings: null };
  const causes = all.filter((cause) => !isFolded(cause));
  const shown = new Set(causes.flatMap(({ rules }) => rules).filter(isWarning));
  const withCauses = shown.size;
  const folded = all.filter(isFolded);
  const entries = folded.flatMap((cause): readonly FoldedWarning[] => {
    const rules = cause.rules.filter((rule) => isWarning(rule) && !shown.has(rule));
    for (const rule of rules) shown.add(rule);
    return rules.length === 0 ? [] : [{ cause, rules }];
  });
  return { causes, warnings: { count: countsOf(result.rules).warn, withCauses, causes: folded, entries } };
}

const isWarning = ({ verdict }: RuleResult): boolean => verdict === "warn";

/** "10 warnings", or "10 warnings, 1 of them shown with the causes above". */
export function warningsHead({ count, withCauses }: FoldedWarnings): string {
  if (count === 0) return "further findings that only warn, all about failed rules";
  return counted(count, "warning") + (withCauses === 0 ? "" : `, ${withCauses} of them shown with the causes above`);
}

/** A warning in one line: its rule, the number of warnings with the same cause, and the observation. */
export function warningLine({ cause, rules }: FoldedWarning): { readonly label: string; readonly text: string } {
  const also = rules.length > 1 ? ` (${counted(rules.length, "warning")})` : "";
  return { label: (rules[0]?.id ?? "") + also, text: seenText(cause.primary) };
}

/** Warnings that a short report shows. */
const maxShownEntries = 5;

/** The first entries, and the number of warnings that the others have. */
export function firstWarnings({ entries }: FoldedWarnings): {
  readonly shown: readonly FoldedWarning[];
  readonly others: number;
} {
  const others = entries.slice(maxShownEntries).reduce((sum, { rules }) => sum + rules.length, 0);
  return { shown: entries.slice(0, maxShownEntries), others };
}
