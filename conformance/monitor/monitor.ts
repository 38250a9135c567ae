import { constants } from "../../generated/constants.ts";
import { type RuleId, rules } from "../../generated/rules.ts";
import type { Rule } from "../../generated/runtime/rule.ts";
import { derivedPlaces } from "../evidence/derived-places.ts";
import { valuesIn } from "../evidence/json-pointer.ts";
import { misanswerAt } from "../evidence/misanswer.ts";
import { atPart, header, member, type Part, type Place } from "../evidence/place.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { headerOf } from "../exchange/exchange.ts";
import { isFrontRefusal } from "../exchange/front-refusal.ts";
import type { Secrets } from "../exchange/redaction.ts";
import { type Finding, isBreach, type Verdict } from "../outcome/verdict.ts";
import type { StorySoFar } from "../story/step.ts";
import { checkUnderWay, storySoFar } from "../story/stories.ts";
import { type Breakdown, newBreakdown, newKinds } from "./breakdown.ts";
import { newCallerMemory } from "./caller-memory.ts";
import type { Answered, Invariant, Leak, Seen } from "./invariant.ts";
import { newRequestIds } from "./request-ids.ts";

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
  /** Operations whose answers break it. */
  readonly operations: Set<string>;
  readonly breakdown: Breakdown;
  worst: {
    readonly exchange: Exchange;
    readonly what: Seen;
    readonly verdict: Verdict;
    readonly story: StorySoFar | undefined;
    /** Check in whose course it was seen; null for what hangs on all that was seen before. */
    readonly during: string | null;
  } | null;
}

/** `breached` is told of the first breach and the first warning of each rule in the moment in which it is seen. */
export function newMonitor(
  invariants: readonly Invariant[],
  secrets: Secrets,
  breached: (finding: Finding) => void = () => undefined,
): Monitor {
  const watched = invariants.map((invariant) => {
    const tally: Tally = { seen: 0, breaches: 0, operations: new Set(), breakdown: newBreakdown(), worst: null };
    return { invariant, tally };
  });
  const sameIdAs = newRequestIds();
  const historyOf = newCallerMemory();
  const kindOf = newKinds();
  const credentialOf = credentialNames(secrets);
  return {
    observe(exchange) {
      // Of an answer that the kit did not read to its end nobody can say whether it keeps a rule.
      if (exchange.outcome.kind === "lost" || exchange.outcome.truncated) return;
      if (isFrontRefusal(exchange)) return;
      const answered: Answered = { ...exchange, outcome: exchange.outcome };
      const requestId = headerOf(exchange, constants.requestIdHeader);
      const sameId = requestId === null ? null : sameIdAs(requestId, exchange);
      const leaked = leaksIn(answered, (text) => secrets.leakedIn(text, exchange.number));
      const kind = kindOf(answered, credentialOf(exchange));
      const surveyed = { leaked, sameId, ...historyOf(answered) };
      for (const { invariant, tally } of watched) {
        if (!invariant.applies(answered, surveyed)) continue;
        tally.seen += 1;
        const what = invariant.breach(answered, surveyed);
        tally.breakdown.add(kind, what !== null);
        if (what === null) continue;
        tally.breaches += 1;
        if (exchange.operation !== null) tally.operations.add(exchange.operation);
        const verdict = verdictOf(invariant.rule, what);
        if (tally.worst === null || (tally.worst.verdict === "warn" && verdict === "fail")) {
          const during = invariant.hangsOnEarlier ? null : checkUnderWay();
          tally.worst = { exchange, what, verdict, story: storySoFar(), during };
          const finding = findingOf(invariant.rule, tally);
          if (isBreach(finding)) breached(finding);
        }
      }
    },
    findings: () => watched.map(({ invariant, tally }) => findingOf(invariant.rule, tally)),
  };
}

/** The secrets that an answer shows, each at the innermost part that does. */
function leaksIn({ outcome }: Answered, namesIn: (text: string) => readonly string[]): readonly Leak[] {
  const { headers, text, json } = outcome;
  if (namesIn(`${Object.values(headers).join("\n")}\n${text}`).length === 0) return [];
  const inHeaders = Object.entries(headers).flatMap(([name, value]) => at(header(name), namesIn(value)));
  const leaves = json === undefined ? [] : [...valuesIn(json)].filter(([, value]) => typeof value === "string");
  const inBody = leaves.flatMap(([pointer, value]) => at(member(pointer), namesIn(String(value))));
  // What no text of a body has for itself, such as the name of a member, is in the body all the same.
  const found = [...inHeaders, ...inBody];
  const others = namesIn(text).filter((name) => !found.some((leak) => leak.name === name));
  return [...found, ...at(member(""), others)];
}

const at = (part: Part, names: readonly string[]): readonly Leak[] => names.map((name) => ({ name, at: part }));

const levelOf = (rule: RuleId): Rule["level"] => rules[rule].level;

function verdictOf(rule: RuleId, what: Seen): Verdict {
  const found: Rule["level"] = levelOf(rule);
  if (found === "observe") return "observed";
  return what.warning || found === "should" ? "warn" : "fail";
}

const placesOf = (exchange: Exchange, { expected, actual, at }: Seen): readonly Place[] =>
  at?.map((part) => atPart(exchange, part, expected)) ?? derivedPlaces({ expected, actual }, null, [exchange]);

/** Who asked, without a secret: of credentials that nobody was given none is told from another. */
function credentialNames(secrets: Secrets): (exchange: Exchange) => string {
  const known = new Map<string, string>();
  return ({ request: { headers } }) => {
    const { authorization } = headers;
    if (authorization === undefined) return "without a credential";
    const shown = known.get(authorization) ?? secrets.redact(authorization);
    // What is made up now may be given to somebody later.
    if (shown === authorization) return "with a made-up credential";
    known.set(authorization, shown);
    return `as ${shown.replace(/^Bearer +/i, "")}`;
  };
}

function findingOf(rule: RuleId, { seen, breaches, operations, breakdown, worst }: Tally): Finding {
  const base = {
    rule,
    check: monitorId,
    ...{ exchanges: [], deliveries: [] },
    ...{ expected: null, actual: null, unblock: null, origin: null, question: null, counterexample: null },
  };
  if (worst) {
    const { expected, actual, earlier } = worst.what;
    const message = `expected ${expected}, got ${actual} (${[`${breaches} of ${seen} answers`, breakdown.text()].filter((part) => part !== null).join("; ")})`;
    const { verdict, exchange, story, during } = worst;
    const at = placesOf(exchange, worst.what);
    const exchanges = earlier === undefined ? [exchange] : [earlier, exchange];
    const came = misanswerAt(at, exchanges);
    return {
      ...{ ...base, verdict, message, expected, actual, exchanges, at, came, during, operations: [...operations] },
      ...(story && { story }),
    };
  }
  if (seen > 0) return { ...base, verdict: "pass", message: "" };
  return {
    ...base,
    verdict: "blocked",
    message: "no answer of this run was one that the rule speaks of",
    unblock: "run more checks",
  };
}
