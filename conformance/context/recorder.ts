import { type RuleId, rules } from "../../generated/rules.ts";
import { derivedPlaces } from "../evidence/derived-places.ts";
import { misanswerAt } from "../evidence/misanswer.ts";
import type { Place } from "../evidence/place.ts";
import { type Delivery, seenDelivery } from "../exchange/delivery.ts";
import { type Exchange, summaryOf } from "../exchange/exchange.ts";
import { type Blocked, type Counterexample, type Finding, isBreach, type Verdict } from "../outcome/verdict.ts";
import { newStory, type Story } from "../story/stories.ts";
import type { Course } from "../story/tallies.ts";
import type { Check } from "./check.ts";
import type { Evidence, Shown } from "./context.ts";

/** Keeps what one check finds. What was recorded stays, however the check ends. */
export interface Recorder {
  /** Records whether a rule held; inside a trial a breach that it is after ends it with a `Breach`. */
  verify(rule: RuleId, holds: boolean, evidence: Evidence): boolean;
  /** Records something about a rule that can only be observed. */
  observe(rule: RuleId, message: string, shown: readonly Shown[]): void;
  /** Leaves a rule undecided; the same reason counts once. */
  undecided(rule: RuleId, why: Blocked, shown: readonly Shown[]): void;
  /** Runs a property's predicate on one value: after a broken `must`, or after a `warning` of that rule besides. */
  trial(counterexample: Counterexample, run: () => Promise<void>, warning?: RuleId | null): Promise<TrialOutcome>;
  /** Puts a finding in place of another one, which a smaller value has made superfluous; null for none. */
  keep(finding: Finding, before: Finding | null): void;
  /** All so far. */
  findings(): readonly Finding[];
}

/** How one value of a property fared. */
export type TrialOutcome =
  | { readonly kind: "held" }
  | { readonly kind: "broken"; readonly finding: Finding }
  /** The predicate could not decide: what it threw. */
  | { readonly kind: "undecided"; readonly error: unknown };

interface Trial {
  readonly counterexample: Counterexample;
  readonly warning: RuleId | null;
  breach: Finding | null;
}

/** Ends a trial: no more is to be learnt from its value. */
class Breach extends Error {}

/**
 * `breached` is told of each breach and warning in the moment in which it is recorded; `story` knows what was done in the
 * check, and `course` counts how rules are decided there.
 */
export function newRecorder(
  check: Pick<Check, "id" | "rules">,
  breached: (finding: Finding) => void = () => undefined,
  story: Pick<Story, "soFar" | "nextValue"> = newStory(),
  course: Pick<Course, "decided"> = { decided: () => undefined },
): Recorder {
  const findings: Finding[] = [];
  let trial: Trial | null = null;

  const declared = (rule: RuleId): void => {
    if (!check.rules.includes(rule)) throw new Error(`Check ${check.id} decides ${rule} without declaring it.`);
  };

  return {
    verify(rule, holds, evidence) {
      declared(rule);
      const { expected, actual, exchanges, deliveries = [], warnOnly = false, question = null } = evidence;
      const { admits = [], isSilence = false, isAstray = false, isNarrowed = false, isEffect = false } = evidence;
      const { spared = [] } = evidence;
      course.decided({ rule, expected, actual, admits, exchanges, deliveries }, holds);
      const verdict = verdictOf(rule, holds, warnOnly || question !== null);
      const at = holds ? [] : placesOf(evidence);
      const finding: Finding = {
        rule,
        check: check.id,
        verdict,
        message: holds ? "" : `expected ${expected}, got ${actual}`,
        expected,
        actual,
        exchanges,
        deliveries: deliveries.map(seenDelivery),
        unblock: null,
        origin: null,
        question: holds ? null : question,
        counterexample: holds ? null : (trial?.counterexample ?? null),
        ...(holds
          ? {}
          : {
              at,
              came: misanswerAt(at, exchanges),
              admits,
              isSilence,
              isAstray,
              isNarrowed,
              isEffect,
              story: story.soFar(),
            }),
        ...(holds || spared.length === 0 ? {} : { spared: spared.map(summaryOf) }),
      };
      // A mere warning would end the search for a breach of a must, so it is searched for by itself.
      if (trial !== null && (verdict === "fail" || (verdict === "warn" && rule === trial.warning))) {
        trial.breach ??= finding;
        throw new Breach(finding.message);
      }
      const isNew = !findings.some((f) => f.rule === rule && f.verdict === verdict);
      if (isNew || (trial === null && !holds)) findings.push(finding);
      if (isBreach(finding)) breached(finding);
      return holds;
    },

    observe(rule, message, shown) {
      declared(rule);
      findings.push({ ...noBreach(rule, check.id, "observed", message, shown), unblock: null, origin: null });
    },

    undecided(rule, { message, unblock, origin }, shown) {
      declared(rule);
      if (findings.some((f) => f.rule === rule && f.verdict === "blocked" && f.message === message)) return;
      findings.push({ ...noBreach(rule, check.id, "blocked", message, shown), unblock, origin });
    },

    async trial(counterexample, run, warning = null) {
      const mine: Trial = { counterexample, warning, breach: null };
      trial = mine;
      story.nextValue();
      const error = await run().then(
        () => null,
        (thrown: unknown) => ({ thrown }),
      );
      trial = null;
      // A breach counts even where the predicate caught it.
      if (mine.breach !== null) return { kind: "broken", finding: mine.breach };
      return error === null ? { kind: "held" } : { kind: "undecided", error: error.thrown };
    },

    keep(finding, before) {
      const at = before === null ? -1 : findings.indexOf(before);
      if (at < 0) findings.push(finding);
      else findings[at] = finding;
      if (isBreach(finding)) breached(finding);
    },

    findings: () => findings,
  };
}

const placesOf = ({ at, compared, exchanges, deliveries = [], ...words }: Evidence): readonly Place[] =>
  at ?? derivedPlaces(words, compared ?? null, [...exchanges, ...deliveries]);

function verdictOf(rule: RuleId, holds: boolean, warnOnly: boolean): Verdict {
  const { level }: { readonly level: string } = rules[rule];
  if (holds) return "pass";
  if (level === "observe") return "observed";
  return level === "must" && !warnOnly ? "fail" : "warn";
}

/** Exchanges and deliveries, each in their order. */
export const apart = (
  shown: readonly Shown[],
): { exchanges: readonly Exchange[]; deliveries: readonly Delivery[] } => ({
  exchanges: shown.filter((one) => "outcome" in one),
  deliveries: shown.filter((one) => "receivedAt" in one),
});

/** A finding that holds nothing against anybody. */
function noBreach(
  rule: RuleId,
  check: string,
  verdict: "observed" | "blocked",
  message: string,
  shown: readonly Shown[],
): Omit<Finding, "unblock" | "origin"> {
  const { exchanges, deliveries } = apart(shown);
  return {
    ...{ rule, check, verdict, message, expected: null, actual: null },
    ...{ exchanges, deliveries: deliveries.map(seenDelivery), question: null, counterexample: null },
  };
}
