import type { Rule } from "../../generated/runtime/rule.ts";

/** What shows that servers keep the rules. */
export interface Proof {
  /** Rules that a check decides, or that the monitor watches. */
  readonly decided: ReadonlySet<string>;
  /** Rules that a mutant breaks. */
  readonly broken: ReadonlySet<string>;
}

/**
 * What is amiss with the proof of the rules, each with what to do: rules that neither are proven nor are drafts, drafts
 * whose last day is over, and drafts that are proven. `today` is a day of UTC, such as 2027-01-31.
 */
export function unprovenRules(rules: Readonly<Record<string, Rule>>, proof: Proof, today: string): readonly string[] {
  return Object.entries(rules).flatMap(([id, rule]) => {
    if (rule.unobservable !== null) return [];
    const missing = missingOf(id, rule, proof);
    const { draft } = rule;
    if (draft === undefined)
      return missing === null ? [] : [`${id} has no ${missing}: write it, or make the rule a draft.`];
    if (missing === null) return [`${id} has check and mutant: take its draft away.`];
    return draft.expires < today
      ? [
          `${id} has no ${missing}, and the draft of ${draft.owner} ended with ${draft.expires}: write it, or agree on another day.`,
        ]
      : [];
  });
}

/** "check", "mutant" or both; null where nothing is missing. What can only be recorded nobody breaks. */
function missingOf(id: string, { level }: Rule, { decided, broken }: Proof): string | null {
  const lacks = [...(decided.has(id) ? [] : ["check"]), ...(broken.has(id) || level === "observe" ? [] : ["mutant"])];
  return lacks.length === 0 ? null : lacks.join(" and no ");
}
