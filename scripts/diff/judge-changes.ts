import type { Change, Edit } from "../../compiler/diff/change.ts";
import { gravity } from "../../compiler/diff/change.ts";
import { type Acceptance, type AcceptedChanges, isAboutEdit, keyOf } from "./accepted-changes.ts";
import type { JudgedChange } from "./judged-change.ts";

/** An acceptance of an edit that was not made, at one of its places or at all. */
export interface StaleAcceptance extends Acceptance {
  /** True if the base has the entry as well. */
  readonly merged: boolean;
  /** Those of its places at which the edit was not made. */
  readonly missing: readonly string[];
  /** Edits that were made at those places instead. */
  readonly found: readonly Edit[];
}

/** An acceptance that the base has as well, so that it accepts nothing. */
export interface MergedAcceptance extends Acceptance {
  /** True if the same edit is made once more. */
  readonly repeated: boolean;
}

/** A list of changes with a project's decisions applied. */
export interface Judgement {
  readonly changes: readonly JudgedChange[];
  /** Acceptances of edits that were not made, and so are to be removed or printed again. */
  readonly stale: readonly StaleAcceptance[];
  /** Those that the base has as well: their edit was merged together with them. */
  readonly merged: readonly MergedAcceptance[];
}

export interface Decisions {
  readonly head: AcceptedChanges;
  /** The decisions of the base's own file; null when the base has none. */
  readonly base: AcceptedChanges | null;
  /** True if entries that the base has are stale only after their last day. */
  readonly toleratesMerged: boolean;
  /** The day of the comparison in UTC: `YYYY-MM-DD`. */
  readonly today: string;
}

/** Applies overrides and acceptances; breaking changes come first, then risky ones. */
export function judgeChanges(
  changes: readonly Change[],
  { head, base, toleratesMerged, today }: Decisions,
  checksOf: (rules: readonly string[]) => readonly string[] | null,
  linesOf: (change: Change) => JudgedChange["lines"],
): Judgement {
  const overrides = new Map(head.severities.map((override) => [override.id, override]));
  const ofBase = new Set(base?.accepted.map(decisionKeyOf));
  const isOfBase = (entry: Acceptance): boolean => ofBase.has(decisionKeyOf(entry));
  const own = head.accepted.filter((entry) => !isOfBase(entry));
  const byFingerprint = Map.groupBy(
    own.toSorted((one, other) => (one.expires < other.expires ? 1 : -1)),
    ({ fingerprint }) => fingerprint,
  );
  const judged = changes.map((change): JudgedChange => {
    const override = overrides.get(change.id);
    const verdict = override?.verdict ?? change.verdict;
    // A safe change needs no acceptance; it stays with the others of its edit.
    const entry = byFingerprint
      .get(change.fingerprint)
      ?.find((one) => (verdict === "safe" || one.ids.includes(change.id)) && isAboutEdit(one, change));
    return {
      ...change,
      verdict,
      override:
        override === undefined || override.verdict === change.verdict
          ? null
          : { from: change.verdict, reason: override.reason, where: override.where },
      acceptance: entry === undefined ? null : decisionOf(entry, today),
      lines: linesOf(change),
      checks: checksOf(change.rules),
    };
  });
  const isMade = (entry: Acceptance, at: string): boolean =>
    changes.some((change) => change.edit.at === at && entry.ids.includes(change.id) && isAboutEdit(entry, change));
  const asStale = (entry: Acceptance, missing: readonly string[], merged: boolean): StaleAcceptance => {
    const instead = changes.filter(({ edit }) => missing.includes(edit.at)).map(({ edit }) => edit);
    const found = [...new Map(instead.map((edit) => [JSON.stringify(edit), edit])).values()];
    return { ...entry, merged, missing, found };
  };
  const isTolerated = ({ expires }: Acceptance): boolean => toleratesMerged && expires >= today;
  const carried = head.accepted.filter(isOfBase);
  return {
    changes: judged.sort((one, other) => gravity[one.verdict] - gravity[other.verdict]),
    stale: [
      ...own.flatMap((entry) => {
        const missing = entry.at.filter((at) => !isMade(entry, at));
        return missing.length === 0 ? [] : [asStale(entry, missing, false)];
      }),
      ...carried.filter((entry) => !isTolerated(entry)).map((entry) => asStale(entry, entry.at, true)),
    ],
    merged: carried
      .filter(isTolerated)
      .map((entry) => ({ ...entry, repeated: entry.at.some((at) => isMade(entry, at)) })),
  };
}

const decisionOf = ({ reason, owner, expires, where }: Acceptance, today: string): JudgedChange["acceptance"] => ({
  ...{ reason, owner, expires, where },
  expired: expires < today,
});

/** Equal for entries with one decision, whatever their lines. */
const decisionKeyOf = (entry: Acceptance): string =>
  JSON.stringify([keyOf(entry), entry.reason, entry.owner, entry.expires]);
