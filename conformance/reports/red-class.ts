import type { RuleResult } from "../runner/run-result.ts";

/** Where to look first when a rule is not green. */
export const redClasses = ["server", "environment", "target file", "open question", "kit"] as const;
export type RedClass = (typeof redClasses)[number];

/**
 * Classes a rule that is not green; null for one that is, and for one that nothing stood in the way of. A breach of a
 * rule that leans on open questions is classed as those: the answer seen may be one that the document leaves open.
 */
export function redClassOf({ verdict, rule, message, findings }: RuleResult): RedClass | null {
  switch (verdict) {
    case "fail":
    case "warn":
      return rule.questions.length > 0 ? "open question" : "server";
    case "blocked":
      return findings.find((f) => f.verdict === "blocked" && f.message === message)?.origin ?? null;
    case "kit_error":
      return "kit";
    case "pass":
    case "observed":
    case "not_applicable":
      return null;
  }
}
