import type { Rule } from "../../generated/runtime/rule.ts";
import type { Place } from "../evidence/place.ts";
import type { DeliverySeen } from "../exchange/delivery.ts";
import type { Exchange, Outcome, SentRequest } from "../exchange/exchange.ts";
import type { Counterexample, Likely, Verdict } from "../outcome/verdict.ts";
import { leftBehindText } from "../provision/left-behind.ts";
import { type Coverage, exitCodeOf, type RuleResult, type RunResult } from "../runner/run-result.ts";
import { atOnceAmong } from "../story/at-once.ts";
import type { ToldStep } from "../story/step.ts";
import type { ToldTally } from "../story/told-tally.ts";
import { causesOf } from "./causes.ts";
import { contrastText } from "./contrast-text.ts";
import { curlOf } from "./curl.ts";
import { type FailureGroup, unblockOf } from "./failure-groups.ts";
import { headlineOf } from "./headline.ts";
import { type OpenQuestion, openQuestions } from "./open-questions.ts";
import { questionsOf, type RedClass, redClassOf } from "./red-class.ts";
import { replayCommand } from "./replay-command.ts";
import { areaOf, countsOf, type RuleCounts, rulesByArea } from "./rule-counts.ts";

/** What results.json holds; the published schema describes it. */
export interface Results
  extends Pick<
    RunResult,
    | "kitVersion"
    | "contract"
    | "target"
    | "profile"
    | "allow"
    | "only"
    | "skip"
    | "seed"
    | "runs"
    | "jobs"
    | "startedAt"
    | "durationMs"
    | "requests"
    | "sandboxCalls"
    | "waitedSeconds"
    | "interrupted"
    | "scope"
    | "checks"
    | "nextSteps"
    | "baseline"
  > {
  readonly format: 1;
  readonly leftBehind: readonly string[];
  /** The run in one line. */
  readonly summary: string;
  readonly exitCode: 0 | 1 | 2;
  readonly counts: RuleCounts;
  readonly areas: readonly ({ readonly area: string } & RuleCounts)[];
  /** What was found, by probable cause, in the order in which to look at it. */
  readonly causes: readonly ResultsCause[];
  readonly rules: readonly ResultsRule[];
}

export interface ResultsCause {
  /** The worst of what was found. */
  readonly verdict: "fail" | "warn" | "kit_error";
  /** An organization may have got at what is another's. */
  readonly possibleLeak: boolean;
  /** Ids of all rules that are affected, that which says it best first. */
  readonly rules: readonly string[];
  /** What says most exactly what is wrong. */
  readonly primary: ResultsSight;
  /** What seems to follow from the same. */
  readonly consequences: readonly ResultsSight[];
}

/** What checks saw in one way; its evidence stands with its rules. */
export interface ResultsSight {
  readonly verdict: "fail" | "warn" | "kit_error";
  readonly rules: readonly string[];
  /** The check whose evidence shows it best. */
  readonly check: string;
  readonly times: number;
  readonly message: string;
  readonly expected: string | null;
  readonly actual: string | null;
}

export interface ResultsRule {
  readonly id: string;
  readonly area: string;
  readonly about: string;
  readonly level: Rule["level"];
  readonly basis: Rule["basis"];
  readonly says: string;
  readonly why: string | null;
  readonly questions: readonly string[];
  readonly verdict: Verdict;
  /** Where to look first; null for a rule that is green, or that nothing stood in the way of. */
  readonly class: RedClass | null;
  /** For a warning that hangs on how the document is read: the open questions, under another reading of which it passes. */
  readonly openQuestions: readonly OpenQuestion[];
  /** Why the verdict is what it is; empty for a pass. */
  readonly message: string;
  /** For which operations it was decided; null for a rule that is not decided operation by operation. */
  readonly coverage: Coverage | null;
  /** For a blocked rule: what would decide it. */
  readonly unblock: string | null;
  /** Ids of the checks that spoke about the rule. */
  readonly checks: readonly string[];
  /** Breaches, warnings among them, and faults of the kit. */
  readonly failures: readonly ResultsFailure[];
  /** What was recorded without judging it. */
  readonly observations: readonly { readonly check: string; readonly message: string }[];
}

export interface ResultsFailure {
  readonly check: string;
  readonly verdict: "fail" | "warn" | "kit_error";
  readonly message: string;
  readonly expected: string | null;
  readonly actual: string | null;
  /** Where it shows; empty where no single place does. */
  readonly at: readonly Place[];
  readonly exchanges: readonly ResultsExchange[];
  /** What reached the kit's receiver. */
  readonly deliveries: readonly DeliverySeen[];
  /** The last exchange's request as a command; null when there is none. */
  readonly curl: string | null;
  /** How it came to this: what was done in the check, in order. */
  readonly story: readonly ResultsStep[];
  /** Steps in the middle of a long story that are left out. */
  readonly storyOmitted: number;
  /** What is likely wrong: guesses, on which no verdict rests. */
  readonly likely: readonly Likely[];
  /** What came when the call was made again after the check, as it was and otherwise; empty where it was not. */
  readonly askedAgain: readonly string[];
  /** The same call where it went the other way; null where the check made none. */
  readonly contrast: string | null;
  /** How calls like the one that shows it fared, or deliveries; null where that is not known. */
  readonly tally: Pick<ToldTally, "what" | "failed" | "of" | "apart" | "rows"> | null;
  /** A command that runs the check again with the same values. */
  readonly replay: string;
  /** The value of a property that shows it; null where no value was chosen by one. */
  readonly counterexample: Counterexample | null;
}

/** One step of a story. */
export interface ResultsStep
  extends Pick<ToldStep, "through" | "what" | "exchange" | "seconds" | "request" | "gives" | "tells"> {
  /** Of the answer; null where none came. */
  readonly status: number | null;
  readonly lost: string | null;
  /** It was under way while another call was; not there where it was not. */
  readonly atOnce?: true;
}

export interface ResultsExchange extends Omit<Exchange, "outcome"> {
  readonly outcome: Omit<Extract<Outcome, { kind: "response" }>, "json"> | Extract<Outcome, { kind: "lost" }>;
  readonly curl: string;
}

/** The run as a value of JSON, without secrets. */
export function resultsOf(result: RunResult): Results {
  const { format, kitVersion, contract, target, profile, allow, only, skip, seed, runs, jobs } = result;
  const { startedAt, durationMs, requests, sandboxCalls } = result;
  const { waitedSeconds, interrupted, scope, checks, leftBehind, nextSteps, baseline } = result;
  return {
    format,
    summary: headlineOf(result),
    exitCode: exitCodeOf(result),
    ...{
      kitVersion,
      contract,
      target,
      profile,
      allow,
      only,
      skip,
      seed,
      runs,
      jobs,
      startedAt,
      durationMs,
      requests,
      sandboxCalls,
      waitedSeconds,
      interrupted,
      scope,
    },
    counts: countsOf(result.rules),
    areas: [...rulesByArea(result)].map(([area, rules]) => ({ area, ...countsOf(rules) })),
    causes: causesOf(result).map(({ verdict, isLeak, rules, primary, consequences }) => ({
      ...{ verdict, possibleLeak: isLeak, rules: rules.map(({ id }) => id) },
      ...{ primary: sightOf(primary), consequences: consequences.map(sightOf) },
    })),
    rules: result.rules.map((rule) => ruleOf(result, rule)),
    ...{ checks, leftBehind: leftBehind.map(leftBehindText), nextSteps, baseline },
  };
}

/** The text of results.json. */
export const resultsJson = (result: RunResult): string => `${JSON.stringify(resultsOf(result), null, 2)}\n`;

function sightOf({ verdict, rules, finding, times }: FailureGroup): ResultsSight {
  const { check, message, expected, actual } = finding;
  return { verdict, rules: rules.map(({ id }) => id), check, times, message, expected, actual };
}

function ruleOf(result: RunResult, ruleResult: RuleResult): ResultsRule {
  const { id, rule, verdict, message, coverage, findings } = ruleResult;
  const { about, level, basis, says, why, questions } = rule;
  const found = redClassOf(ruleResult);
  return {
    ...{ id, area: areaOf(id), about, level, basis, says, why, questions, verdict, message, coverage },
    class: found,
    openQuestions: openQuestions(questionsOf(ruleResult)),
    unblock: verdict === "blocked" ? unblockOf(ruleResult) : null,
    checks: [...new Set(findings.map((f) => f.check))],
    failures: findings.flatMap((finding): readonly ResultsFailure[] => {
      const { check, verdict: seen, expected, actual, at, exchanges, deliveries, counterexample } = finding;
      if (seen !== "fail" && seen !== "warn" && seen !== "kit_error") return [];
      const last = exchanges.at(-1);
      return [
        {
          ...{ check, verdict: seen, message: finding.message, expected, actual, at, counterexample },
          exchanges: exchanges.map(exchangeOf),
          deliveries: deliveries.map(deliveryOf),
          curl: last === undefined ? null : curlOf(last.request),
          story: storyOf(finding.told?.steps ?? []),
          storyOmitted: finding.told?.omitted ?? 0,
          likely: finding.likely.map(({ probe, says }) => ({ probe, says })),
          askedAgain: finding.askedAgain,
          contrast: contrastText(finding),
          tally: finding.tally === null ? null : tallyOf(finding.tally),
          replay: replayCommand(result, finding),
        },
      ];
    }),
    observations: findings
      .filter((f) => f.verdict === "observed")
      .map(({ check, message: seen }) => ({ check, message: seen })),
  };
}

const tallyOf = ({ what, failed, of, apart, rows }: ToldTally): ResultsFailure["tally"] => ({
  ...{ what, failed, of, apart, rows },
});

function storyOf(steps: readonly ToldStep[]): readonly ResultsStep[] {
  const together = atOnceAmong(steps);
  return steps.map((step) => {
    const { through, what, exchange, seconds, request, outcome, gives, tells } = step;
    const status = outcome?.kind === "response" ? outcome.status : null;
    const lost = outcome?.kind === "lost" ? outcome.reason : null;
    return {
      ...{ through, what, exchange, seconds, request: request && requestOf(request), status, lost, gives },
      ...(together.has(step) ? { atOnce: true } : {}),
      ...(tells === undefined ? {} : { tells }),
    };
  });
}

/** A step is told by what is sent; long bodies stand in the evidence. */
const requestOf = ({ body, bodyBase64, ...request }: SentRequest): SentRequest => ({
  ...request,
  body: body === null ? null : body.slice(0, bodyLimit),
  ...(bodyBase64 === undefined ? {} : { bodyBase64: bodyBase64.slice(0, bodyLimit) }),
});

/** Characters of a body that results.json keeps. */
const bodyLimit = 16_384;

function deliveryOf(delivery: DeliverySeen): DeliverySeen {
  const { number, receivedAt, request, answer } = delivery;
  const { method, url, headers, body, bytes, truncated } = request;
  const { status, remark, how, endedAt } = answer;
  return {
    ...{ number, receivedAt },
    request: {
      ...{ method, url, headers, body: body.slice(0, bodyLimit), bytes },
      truncated: truncated || body.length > bodyLimit,
    },
    answer: { ...{ status, remark, body: answer.body.slice(0, bodyLimit) }, how, endedAt },
  };
}

function exchangeOf(exchange: Exchange): ResultsExchange {
  const { number, operation, request, outcome, sentAt, answeredAt } = exchange;
  const curl = curlOf(request);
  if (outcome.kind === "lost") return { number, operation, request, outcome, sentAt, answeredAt, curl };
  const { kind, status, headers, text, truncated } = outcome;
  return {
    ...{ number, operation, request, sentAt, answeredAt, curl },
    outcome: {
      ...{ kind, status, headers },
      text: text.slice(0, bodyLimit),
      truncated: truncated || text.length > bodyLimit,
    },
  };
}
