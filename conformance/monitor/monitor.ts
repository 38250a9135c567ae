import { constants } from "../../generated/constants.ts";
import { type RuleId, rules } from "../../generated/rules.ts";
import type { Rule } from "../../generated/runtime/rule.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { headerOf } from "../exchange/exchange.ts";
import type { Secrets } from "../exchange/redaction.ts";
import { type Finding, isBreach, type Verdict } from "../outcome/verdict.ts";
import type { StorySoFar } from "../story/step.ts";
import { storySoFar } from "../story/stories.ts";
import { newCallerMemory } from "./caller-memory.ts";
import type { Answered, Invariant, Seen } from "./invariant.ts";

/** Name under which the monitor's findings appear. */
export const monitorId = "monitor";

/** Watches every exchange of a run. */
export interface Monitor {
  observe(exchange: Exchange): void;
  /** One finding for each invariant that applied at least once, or was never seen to apply. */
  findings(): readonly Finding[];
}

interface Tally {
  seen: number;
  breaches: number;
  worst: {
    readonly exchange: Exchange;
    readonly what: Seen;
    readonly verdict: Verdict;
    readonly story: StorySoFar | undefined;
  } | null;
}

/** `breached` is told of the first breach and the first warning of each rule in the moment in which it is seen. */
export function newMonitor(
  invariants: readonly Invariant[],
  secrets: Secrets,
  breached: (finding: Finding) => void = () => undefined,
): Monitor {
  const tallies = new Map(invariants.map((i) => [i, { seen: 0, breaches: 0, worst: null } as Tally]));
  const requestIds = new Set<string>();
  const historyOf = newCallerMemory();
  return {
    observe(exchange) {
      // Of an answer that the kit did not read to its end nobody can say whether it keeps a rule.
      if (exchange.outcome.kind === "lost" || exchange.outcome.truncated) return;
      if (isPageOfFront(exchange)) return;
      const answered: Answered = { ...exchange, outcome: exchange.outcome };
      const requestId = headerOf(exchange, constants.requestIdHeader);
      const repeatedRequestId = requestId !== null && requestIds.has(requestId);
      if (requestId !== null) requestIds.add(requestId);
      const { headers, text } = exchange.outcome;
      const leaked = secrets.leakedIn(`${Object.values(headers).join("\n")}\n${text}`, exchange.number);
      const surveyed = { leaked, repeatedRequestId, ...historyOf(answered) };
      for (const [invariant, tally] of tallies) {
        if (!invariant.applies(answered, surveyed)) continue;
        tally.seen += 1;
        const what = invariant.breach(answered, surveyed);
        if (what === null) continue;
        tally.breaches += 1;
        const verdict = verdictOf(invariant.rule, what);
        if (tally.worst === null || (tally.worst.verdict === "warn" && verdict === "fail")) {
          tally.worst = { exchange, what, verdict, story: storySoFar() };
          const finding = findingOf(invariant.rule, tally);
          if (isBreach(finding)) breached(finding);
        }
      }
    },
    findings: () => [...tallies].map(([invariant, tally]) => findingOf(invariant.rule, tally)),
  };
}

/** Whether an answer is none of the server's, as far as can be told: a page for a request that is odd HTTP. */
const isPageOfFront = ({ isOddHttp = false, outcome }: Exchange): boolean =>
  isOddHttp && outcome.kind === "response" && outcome.status >= 400 && outcome.json === undefined;

const levelOf = (rule: RuleId): Rule["level"] => rules[rule].level;

function verdictOf(rule: RuleId, what: Seen): Verdict {
  const found: Rule["level"] = levelOf(rule);
  if (found === "observe") return "observed";
  return what.warning || found === "should" ? "warn" : "fail";
}

function findingOf(rule: RuleId, { seen, breaches, worst }: Tally): Finding {
  const base = {
    rule,
    check: monitorId,
    ...{ exchanges: [], deliveries: [] },
    ...{ expected: null, actual: null, unblock: null, origin: null, question: null, counterexample: null },
  };
  if (worst) {
    const { expected, actual } = worst.what;
    const message = `expected ${expected}, got ${actual} (${breaches} of ${seen} answers)`;
    const { verdict, exchange, story } = worst;
    return { ...base, verdict, message, expected, actual, exchanges: [exchange], ...(story && { story }) };
  }
  if (seen > 0) return { ...base, verdict: "pass", message: "" };
  return {
    ...base,
    verdict: "blocked",
    message: "no answer of this run was one that the rule speaks of",
    unblock: "run more checks",
  };
}
