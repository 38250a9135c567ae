import type { RuleResult } from "../runner/run-result.ts";

/** Where to look first when a rule is not green. */
export const redClasses = ["server", "environment", "target file", "open question", "kit"] as const;
export type RedClass = (typeof redClasses)[number];

/**
 * Classes a rule that is not green; null for one that is, and for one that nothing stood in the way of. A breach is the
 * server's: what open questions leave open has passed. Only a warning may hang on how one is read.
 */
export function redClassOf(result: RuleResult): RedClass | null {
  const { verdict, message, findings } = result;
  switch (verdict) {
    case "fail":
      return "server";
    case "warn":
      return questionsOf(result).length > 0 ? "open question" : "server";
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

/** Open questions under another reading of which a rule that is warned about would have passed; none for any other. */
export function questionsOf({ verdict, findings }: RuleResult): readonly string[] {
  const questions = findings.filter((f) => verdict === "warn" && f.verdict === "warn").map(({ question }) => question);
  const named = questions.filter((question) => question !== null);
  return named.length === questions.length ? [...new Set(named)] : [];
}
