import { type Apart, couldBeApart, type Decided, newFactMaker, whatSetsApart } from "../evidence/apart.ts";
import type { Admitted } from "../evidence/misanswer.ts";
import type { Delivery } from "../exchange/delivery.ts";
import { type Exchange, type SentRequest, statusOf } from "../exchange/exchange.ts";
import { type CallFacts, type CallLooked, newCallFacts } from "./call-facts.ts";
import type { CallAlike } from "./calls-alike.ts";
import { type DecidedDelivery, deliveryFacts } from "./delivery-facts.ts";
import type { Step } from "./step.ts";

/** How a rule was decided of calls alike: of one operation, against the same that is admitted. Or of deliveries. */
export interface Tally {
  readonly what: "calls" | "deliveries";
  readonly failed: number;
  /** All of them, at least one. */
  readonly of: number;
  /** What sets those that failed apart; null where nothing does that is known, or where too few calls could show it. */
  readonly apart: Apart | null;
  /** Whether so many calls of either kind are known that what sets them apart would have shown. */
  readonly isSearched: boolean;
  /** Number in the run of the call that shows the breach; 0 for a delivery. */
  readonly asked: number;
  /** The calls, as far as they are looked at; none of deliveries. */
  readonly calls: readonly CallAlike[];
}

/** A decision, and what it was made on. */
export interface Judged {
  readonly rule: string;
  /** In words. */
  readonly expected: string | null;
  /** The same as data; empty where words alone tell. */
  readonly admits?: readonly Admitted[];
  /** What came, in words; not there for the last status alone. */
  readonly actual?: string | null;
  /** The last one is the call that is judged. */
  readonly exchanges: readonly Exchange[];
  /** Where there is no call, the last one is the delivery that is judged. */
  readonly deliveries?: readonly Pick<Delivery, "number">[];
}

/** The same with the whole deliveries. */
export interface Shown extends Judged {
  readonly deliveries?: readonly Delivery[];
}

/** Counts for a whole run how each rule was decided, both ways. It changes no verdict. */
export interface Tallies {
  /** For the course of one check. */
  course(): Course;
  /** Of the calls like the one that shows a breach; null where not every decision can be laid to a call. */
  tallyOf(breach: Judged): Tally | null;
}

/** What is done and decided in the course of one check. */
export interface Course extends Pick<CallFacts, "hear"> {
  decided(judged: Shown, holds: boolean): void;
}

/** Calls of one kind that failed, and as many that did not, that are looked at; of more the number is known. */
const mostKept = 60;

interface Kind {
  /** By the number of the call; one that failed once has failed. */
  readonly calls: Map<number, Known>;
  /** Of those that are no longer looked at. */
  readonly more: { failed: number; held: number };
  /** Something was decided without a call that shows it. */
  isPartial: boolean;
  /** Calls that stand as evidence in a decision: where these are not alike, neither are the calls. */
  readonly evidence: Set<number>;
}

/**
 * Steps and decisions that are kept to be learned from once somebody asks: of a run in which every rule holds nobody does.
 * Of a longer run they are learned from in between, so that what it holds does not grow with it.
 */
const mostHeard = 200_000;

/** `issuedBy` tells the call of the API whose answer gave a key; null for a key that was given otherwise. */
export function newTallies(issuedBy: (secret: string) => Step | null = () => null): Tallies {
  const kinds = new Map<string, Kind>();
  const deliveries = new Map<string, Map<number, DecidedDelivery>>();
  const fact = newFactMaker();
  const kindOf = (name: string): Kind => {
    const kind = kinds.get(name) ?? {
      ...{ calls: new Map(), more: { failed: 0, held: 0 }, isPartial: false, evidence: new Set<number>() },
    };
    kinds.set(name, kind);
    return kind;
  };
  let heard: (() => void)[] = [];
  const catchUp = (): void => {
    const all = heard;
    heard = [];
    for (const learn of all) learn();
  };
  const later = (learn: () => void): void => {
    heard.push(learn);
    if (heard.length >= mostHeard) catchUp();
  };
  const tallyOfDeliveries = (all: readonly DecidedDelivery[]): Tally | null => {
    const known = deliveryFacts(all, fact);
    const failed = known.filter(({ holds }) => !holds).length;
    if (failed === 0) return null;
    const found = { apart: whatSetsApart(known), isSearched: couldBeApart(known) };
    return { what: "deliveries", failed, of: known.length, ...found, asked: 0, calls: [] };
  };
  return {
    course() {
      const facts = newCallFacts(fact, issuedBy);
      const decide = (judged: Shown, holds: boolean): void => {
        const call = judged.exchanges.at(-1);
        if (call === undefined) {
          kindOf(formOf(judged)).isPartial = true;
          noteDelivery(deliveries, judged, holds);
          return;
        }
        note(kindOf(nameOf(judged, call)), judged, call, { holds, looked: facts.judged(call.number) });
      };
      return {
        hear: (step) => later(() => facts.hear(step)),
        decided: (judged, holds) => later(() => decide(judged, holds)),
      };
    },
    tallyOf(breach) {
      catchUp();
      const call = breach.exchanges.at(-1);
      if (call === undefined) return tallyOfDeliveries([...(deliveries.get(formOf(breach))?.values() ?? [])]);
      const kind = kinds.get(nameOf(breach, call));
      if (kind === undefined || kinds.get(formOf(breach))?.isPartial === true) return null;
      const calls = [...kind.calls].map(([exchange, { holds, expected, came, looked }]) => ({
        ...{ exchange, holds, expected, came, parts: looked.parts() },
      }));
      const failed = calls.filter(({ holds }) => !holds).length + kind.more.failed;
      const known = [...kind.calls.values()].map(({ holds, looked }): Decided => ({ holds, facts: looked.facts() }));
      const isAlike = kind.evidence.size === 1;
      return {
        what: "calls",
        ...{ failed, of: calls.length + kind.more.failed + kind.more.held, asked: call.number, calls },
        apart: isAlike ? whatSetsApart(known) : null,
        isSearched: isAlike && couldBeApart(known),
      };
    },
  };
}

/** Of one that was judged several times, that it failed once is kept; what was decided of no delivery is none. */
function noteDelivery(all: Map<string, Map<number, DecidedDelivery>>, judged: Shown, holds: boolean): void {
  const delivery = judged.deliveries?.at(-1);
  if (delivery === undefined) return;
  const alike = all.get(formOf(judged)) ?? new Map<number, DecidedDelivery>();
  all.set(formOf(judged), alike);
  const before = alike.get(delivery.number);
  alike.set(delivery.number, { holds: holds && before?.holds !== false, delivery });
}

/** A decision, and what tells of its call. */
interface Known extends Pick<CallAlike, "holds" | "expected" | "came"> {
  readonly looked: CallLooked;
}

/** A decision of a call of which nothing is known where another check made it. */
interface Noted extends Pick<Decided, "holds"> {
  readonly looked: CallLooked | null;
}

function note({ calls, more, evidence }: Kind, judged: Judged, call: Exchange, { holds, looked }: Noted): void {
  const { expected, exchanges, admits = [], actual = null } = judged;
  evidence.add(exchanges.length);
  const known = calls.get(call.number);
  const status = String(statusOf(call) ?? "no answer");
  // Where it is not the status that is judged, that alone would look as it should.
  const came =
    holds || admits.length > 0 || actual === null
      ? status
      : actual.startsWith(`${status} `)
        ? actual
        : `${status}: ${actual}`;
  if (known !== undefined) {
    if (known.holds && !holds) calls.set(call.number, { ...known, holds, expected, came });
    return;
  }
  const kept = [...calls.values()].filter((one) => one.holds === holds).length;
  if (looked === null || kept >= mostKept) {
    more[holds ? "held" : "failed"] += 1;
    return;
  }
  calls.set(call.number, { holds, expected, came, looked });
}

const nameOf = (judged: Judged, { operation, request }: Exchange): string =>
  `${formOf({ ...judged, expected: withoutSent(judged, request) })} ${operation ?? `${request.method} of no operation`}`;

/** Bodies that are looked through for what a decision names. */
const longestLooked = 2_000;

/** What was wanted, in words, without what the call itself was made with: calls of which it is wanted with other values are alike. */
function withoutSent({ expected, admits = [] }: Judged, { url, body }: SentRequest): string | null {
  if (expected === null || admits.length > 0) return expected;
  const looked = body !== null && body.length <= longestLooked ? body : "";
  const isSent = (word: string): boolean =>
    word.length > 2 && (looked.includes(`"${word}"`) || url.includes(`=${encodeURIComponent(word)}`));
  return expected.replace(/[^\s,;]+/g, (word) => (isSent(word) ? "·" : word));
}

/** The rule and what it admits, without what is of one call alone. */
const formOf = ({ rule, expected, admits = [] }: Judged): string =>
  `${rule} ${admits.length > 0 ? [...admits].sort().join(" ") : (expected ?? "").replace(/ = .*$/s, "").replace(particulars, "·")}`;

/** Texts in quotes, figures, and whatever has a digit. */
const particulars = /"[^"]*"|[^\s,;:]*\d[^\s,;:]*/g;
