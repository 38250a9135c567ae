import type { Change } from "../../compiler/diff/change.ts";
import { gravity } from "../../compiler/diff/change.ts";
import { type Acceptance, type AcceptedChanges, keyOf } from "./accepted-changes.ts";
import type { JudgedChange } from "./judged-change.ts";

/** What a project's decisions make of a list of changes. */
export interface Judgement {
  readonly changes: readonly JudgedChange[];
  /** Acceptances that are about no change, and so are to be removed. */
  readonly stale: readonly Acceptance[];
  /** Those of them that the base has as well: their change was merged together with them. */
  readonly merged: readonly Acceptance[];
}

export interface Decisions {
  readonly head: AcceptedChanges;
  /** What the base's own file accepts; null when the base has none, or the question is not asked. */
  readonly base: AcceptedChanges | null;
  /** The day of the comparison in UTC: `YYYY-MM-DD`. */
  readonly today: string;
}

/** Applies overrides and acceptances; the gravest changes come first, as before. */
export function judgeChanges(
  changes: readonly Change[],
  { head, base, today }: Decisions,
  checksOf: (rules: readonly string[]) => readonly string[] | null,
  linesOf: (change: Change) => JudgedChange["lines"],
): Judgement {
  const overrides = new Map(head.severities.map((override) => [override.id, override]));
  const accepted = new Map(head.accepted.map((entry) => [keyOf(entry), entry]));
  const met = new Set<string>();
  const judged = changes.map((change): JudgedChange => {
    const override = overrides.get(change.id);
    const entry = accepted.get(keyOf(change));
    if (entry !== undefined) met.add(keyOf(entry));
    return {
      ...change,
      verdict: override?.verdict ?? change.verdict,
      override:
        override === undefined || override.verdict === change.verdict
          ? null
          : { from: change.verdict, reason: override.reason, where: override.where },
      acceptance: entry === undefined ? null : { ...entry, expired: entry.expires < today },
      lines: linesOf(change),
      checks: checksOf(change.rules),
    };
  });
  const unmet = head.accepted.filter((entry) => !met.has(keyOf(entry)));
  const carried = new Set(base?.accepted.map(wholeOf));
  const isMerged = (entry: Acceptance): boolean => carried.has(wholeOf(entry)) && entry.expires >= today;
  return {
    changes: judged.sort((one, other) => gravity[one.verdict] - gravity[other.verdict]),
    stale: unmet.filter((entry) => !isMerged(entry)),
    merged: unmet.filter(isMerged),
  };
}

/** An entry whatever its line. */
const wholeOf = (entry: Acceptance): string => JSON.stringify([keyOf(entry), entry.reason, entry.owner, entry.expires]);
