import type { Mutant } from "../../reference-server/edits/edit.ts";
import type { TrialOutcome } from "./trial.ts";

/** How an edit fared. */
export interface Judgement {
  readonly holds: boolean;
  /** Why it does not hold; for a killed mutant, what killed it. */
  readonly message: string;
  readonly checks: readonly string[];
}

/** A mutant must be found by a check of its own rule, and by what it does, not by what it was not meant to: throw. */
export function judgeMutant(mutant: Mutant, outcome: TrialOutcome): Judgement {
  const broken = whyBroken(outcome, mutant.throws !== undefined);
  if (broken !== null || outcome.kind === "broken") return { holds: false, message: `broken: ${broken}`, checks: [] };
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
  const broken = whyBroken(outcome, false);
  if (broken !== null || outcome.kind === "broken") return { holds: false, message: `broken: ${broken}`, checks: [] };
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

/** Why a trial says nothing; null when it says something. */
function whyBroken(outcome: TrialOutcome, mayThrow: boolean): string | null {
  if (outcome.kind === "broken") return outcome.message;
  const [first] = mayThrow ? [] : outcome.failures;
  return first === undefined ? null : `the server failed ${outcome.failures.length} times, first with: ${first}`;
}
