import type { Mutant } from "../../reference-server/edits/edit.ts";
import type { TrialOutcome } from "./try-edits.ts";

/** How an edit fared. */
export interface Judgement {
  readonly holds: boolean;
  /** Why it does not hold; for a killed mutant, what killed it. */
  readonly message: string;
  readonly checks: readonly string[];
}

/** A mutant must be found by a check of its own rule. */
export function judgeMutant(mutant: Mutant, outcome: TrialOutcome): Judgement {
  if (outcome.kind === "broken") return { holds: false, message: outcome.message, checks: [] };
  const rule = outcome.rules.find((r) => r.id === mutant.breaks);
  const killed = rule?.verdict === "fail" || rule?.verdict === "warn";
  return {
    holds: killed,
    message: rule ? `${rule.verdict}: ${rule.message}` : "no verdict",
    checks: rule?.checks ?? [],
  };
}

/** A lawful server must not be called a violator, nor be left undecided where the reference is not. */
export function judgeLawful(outcome: TrialOutcome): Judgement {
  if (outcome.kind === "broken") return { holds: false, message: outcome.message, checks: [] };
  const bad = outcome.rules.filter((r) => r.verdict === "fail" || r.verdict === "kit_error");
  const warned = outcome.rules.filter((r) => r.verdict === "warn").map((r) => r.id);
  const message =
    bad.length > 0
      ? bad.map((r) => `${r.id} ${r.verdict}: ${r.message}`).join("; ")
      : warned.length > 0
        ? `warns: ${warned.join(", ")}`
        : "green";
  return { holds: bad.length === 0, message, checks: bad.flatMap((r) => r.checks) };
}
