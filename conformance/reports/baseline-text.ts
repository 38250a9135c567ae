import type { Baselined, BaselineEntry, KnownFailure } from "../runner/baseline.ts";
import type { RunResult } from "../runner/run-result.ts";

/** Days before its end from which a known failure is counted as ending. */
const soon = 14;

/** "known: 3, 1 expires in 6 days; 1 stale entry": the baseline in one line. */
export function baselineHead({ known, stale, untried }: Baselined): string {
  const ending = known.filter(({ daysLeft }) => daysLeft <= soon);
  const first = Math.min(...ending.map(({ daysLeft }) => daysLeft));
  const leaks = known.filter(({ possibleLeak }) => possibleLeak).length;
  const parts = [
    `known: ${known.length}`,
    ending.length === 0 ? null : `${ending.length} ${ending.length === 1 ? "expires" : "expire"} ${inDays(first)}`,
    leaks === 0 ? null : `${leaks} may show an organization what is another's`,
    stale.length === 0 ? null : `stale: ${stale.length}`,
    untried.length === 0 ? null : `not decided by this run: ${untried.length}`,
  ];
  return parts.filter((part) => part !== null).join(", ");
}

const inDays = (days: number): string => (days === 0 ? "today" : days === 1 ? "within a day" : `within ${days} days`);

/** An entry of the baseline, as reports tell it. */
export interface BaselineLine {
  readonly kind: "leak" | "stale" | "known" | "untried";
  readonly entry: BaselineEntry;
  readonly text: string;
  /** What to do; null where nothing is to be done now. */
  readonly fix: string | null;
}

/** Every entry, those that ask for attention first. */
export const baselineLines = ({ known, stale, untried }: Baselined): readonly BaselineLine[] => [
  ...stale.map((entry) => ({ kind: "stale" as const, entry, text: entry.why, fix: `${entry.where}: ${entry.fix}` })),
  ...known
    .toSorted((a, b) => Number(b.possibleLeak) - Number(a.possibleLeak) || a.daysLeft - b.daysLeft)
    .map((entry) => ({
      kind: entry.possibleLeak ? ("leak" as const) : ("known" as const),
      ...{ entry, text: knownText(entry), fix: null },
    })),
  ...untried.map((entry) => ({ kind: "untried" as const, entry, text: `not decided: ${entry.why}`, fix: null })),
];

/** What the baseline says of a known failure: since a leak is worse than any other, it says that there may be one. */
export function knownText({ owner, reason, expires, daysLeft, possibleLeak }: KnownFailure): string {
  const leak = possibleLeak ? "POSSIBLE LEAK between organizations; " : "";
  return `${leak}known until ${expires}, expires ${inDays(daysLeft)}; ${owner}: ${reason}`;
}

/** What the baseline knows of some rules, each text once. */
export const knownTexts = (
  { baseline }: Pick<RunResult, "baseline">,
  rules: readonly { readonly id: string }[],
): readonly string[] => [
  ...new Set((baseline?.known ?? []).filter(({ rule }) => rules.some(({ id }) => id === rule)).map(knownText)),
];
