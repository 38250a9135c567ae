import { rules } from "../../generated/rules.ts";
import type { Rule } from "../../generated/runtime/rule.ts";
import type { Mutant } from "../../reference-server/edits/edit.ts";
import { type Concession, concessions } from "./concessions.ts";
import type { ToldReport } from "./told-report.ts";
import type { RuleOutcome, TrialOutcome } from "./trial.ts";

/** How an edit fared. */
export interface Judgement {
  readonly holds: boolean;
  /** Why it does not hold; for a killed mutant, what killed it. */
  readonly message: string;
  readonly checks: readonly string[];
  /** What was conceded to a lawful server, as it needed it. */
  readonly conceded: readonly Concession[];
  /** What the report says of a mutant; null of anything else, and where nothing ran. */
  readonly report: ToldReport | null;
}

/** A mutant must be found by a check of its own rule, and by what it does, not by what it was not meant to: throw. */
export function judgeMutant(mutant: Mutant, outcome: TrialOutcome): Judgement {
  const broken = brokenBy(outcome, mutant.throws !== undefined);
  if (broken !== null || outcome.kind === "broken") return brokenTrial(String(broken));
  const rule = outcome.rules.find((r) => r.id === mutant.breaks);
  const killed = rule?.verdict === "fail" || rule?.verdict === "warn";
  return {
    holds: killed,
    message: rule ? `${rule.verdict}: ${rule.message}` : "no verdict",
    checks: rule?.checks ?? [],
    conceded: [],
    report: outcome.report,
  };
}

/**
 * Decides whether the kit judges a conforming server as it must. No rule may fail. No `must` may warn, and no rule may stay
 * undecided that the kit decides for the reference under the same seed, unless `concessions` has it for the server's choices.
 * A rule that the kit only observes has no verdict to compare.
 */
export function judgeLawful(
  choices: readonly string[],
  outcome: TrialOutcome,
  decided: ReadonlySet<string> | null,
): Judgement {
  const broken = brokenBy(outcome, false);
  if (broken !== null || outcome.kind === "broken") return brokenTrial(String(broken));
  const faults: (readonly [RuleOutcome, string])[] = [];
  const warned: string[] = [];
  const undecided: string[] = [];
  const conceded = new Set<Concession>();
  const isConceded = (rule: string, leaves: Concession["leaves"]): boolean => {
    const fitting = concessions.filter(
      (each) =>
        each.leaves === leaves &&
        each.rules.some((one) => one === rule) &&
        each.choices.every((choice) => choices.includes(choice)),
    );
    for (const each of fitting) conceded.add(each);
    return fitting.length > 0;
  };
  for (const rule of outcome.rules) {
    const { id, verdict } = rule;
    if (verdict === "fail" || verdict === "kit_error") faults.push([rule, verdict]);
    else if (verdict === "warn") {
      warned.push(id);
      if (levelOf(id) === "must" && !isConceded(id, "warned")) faults.push([rule, "warns, which nothing concedes"]);
    } else if (verdict !== "pass" && levelOf(id) !== "observe" && decided?.has(id)) {
      undecided.push(id);
      if (!isConceded(id, "undecided")) faults.push([rule, `is ${verdict}, which nothing concedes`]);
    }
  }
  const told = [
    ...(warned.length > 0 ? [`warns: ${warned.join(", ")}`] : []),
    ...(undecided.length > 0 ? [`undecided: ${undecided.join(", ")}`] : []),
  ];
  const why = faults.map(([{ id, message }, what]) => `${id} ${what}: ${message}`);
  return {
    holds: faults.length === 0,
    message: why.length > 0 ? why.join("; ") : told.join("; ") || "green",
    checks: [...new Set(faults.flatMap(([{ checks }]) => checks))],
    conceded: [...conceded],
    report: null,
  };
}

/** Rules that a run decided; none where it was broken. */
export function decidedIn(outcome: TrialOutcome): ReadonlySet<string> {
  const all = outcome.kind === "ran" ? outcome.rules : [];
  return new Set(all.filter(({ verdict }) => ["pass", "warn", "fail"].includes(verdict)).map(({ id }) => id));
}

const levels = new Map(Object.entries<Rule>(rules).map(([id, { level }]) => [id, level]));
const levelOf = (rule: string): Rule["level"] | undefined => levels.get(rule);

const brokenTrial = (why: string): Judgement => ({
  ...{ holds: false, message: `broken: ${why}`, checks: [], conceded: [], report: null },
});

/** Why a trial says nothing; null when it says something. */
function brokenBy(outcome: TrialOutcome, mayThrow: boolean): string | null {
  if (outcome.kind === "broken") return outcome.message;
  const [first] = mayThrow ? [] : outcome.failures;
  return first === undefined ? null : `the server failed ${outcome.failures.length} times, first with: ${first}`;
}
