import { operations } from "../../generated/operations.ts";
import type { Operation } from "../../generated/runtime/operation.ts";
import type { Fact } from "../evidence/apart.ts";
import { childPointer } from "../evidence/json-pointer.ts";
import type { SentRequest } from "../exchange/exchange.ts";
import { secondsOf } from "./passed.ts";
import type { Step } from "./step.ts";

/** Learns what was done in the course of one check, and tells what holds of each of its calls. */
export interface CallFacts {
  hear(step: Step): void;
  /**
   * What held of a call of which something is decided, by its number in the run; null for one of another check. A call that
   * does the same as the one before, of which nothing was, is that one tried again where nothing was changed meanwhile.
   */
  judged(exchange: number): ReadonlySet<Fact> | null;
}

/** Makes the facts of a run, each of them once. */
export type FactMaker = (rank: number, says: string) => Fact;

export function newFactMaker(): FactMaker {
  const known = new Map<string, Fact>();
  return (rank, says) => {
    const fact = known.get(says) ?? { says, rank };
    known.set(says, fact);
    return fact;
  };
}

/** How plainly a fact tells of a fault, the plainest first. */
const ranks = { again: 0, value: 1, member: 2, header: 2, key: 3, after: 4, times: 5, clock: 6 };

/** Calls of a kind that are counted; more are not told apart. */
const mostCounted = 4;

/** Facts of what the sandbox did that are kept. */
const mostArranged = 20;

/** Calls of one operation that one caller made so far. */
interface Before {
  calls: number;
  served: number;
  /** What it was served with, each as its place and its value. */
  readonly values: Set<string>;
  /** Of the last of them, the time that had passed in the check, and what had been changed there when it was answered. */
  clock: number;
  changes: number;
  asked: string;
  /** Its number; null while there is none. */
  last: number | null;
}

/** `madeBy` tells the operation whose answer gave a key to its caller; null for a key that was given otherwise. */
export function newCallFacts(fact: FactMaker, madeBy: (secret: string) => string | null): CallFacts {
  const facts = new Map<number, ReadonlySet<Fact>>();
  const judged = new Set<number>();
  const arranged = new Set<Fact>();
  const callers = new Map<string, Map<string, Before>>();
  let clock = 0;
  let changes = 0;

  const beforeOf = (caller: string, operation: string): Before => {
    const calls = callers.get(caller) ?? new Map<string, Before>();
    callers.set(caller, calls);
    const before = calls.get(operation) ?? {
      calls: 0,
      served: 0,
      values: new Set(),
      clock,
      changes,
      asked: "",
      last: null,
    };
    calls.set(operation, before);
    return before;
  };

  return {
    hear(step) {
      clock += secondsOf(step);
      const arranges = [...arrangedBy(step, fact)];
      for (const one of arranges) if (arranged.size < mostArranged) arranged.add(one);
      if (arranges.length > 0) changes += 1;
      const { exchange, operation = null, request, outcome } = step;
      if (exchange === null || operation === null || request === null) return;
      const caller = credentialIn(request);
      const before = beforeOf(caller, operation);
      const asked = `${request.url} ${request.body}`;
      const { last } = before;
      const isAsBefore = before.asked === asked && before.changes === changes;
      const triedAgain = isAsBefore && last !== null && !judged.has(last) ? facts.get(last) : undefined;
      Object.assign(before, { asked, last: exchange });
      if (triedAgain !== undefined) {
        facts.set(exchange, triedAgain);
        before.clock = clock;
        return;
      }
      const sent = sentIn(request, operation);
      const found: Fact[] = [...arranged];
      for (const { name, value, isWhole } of sent) {
        found.push(fact(ranks.member, `had ${name}`));
        const text = JSON.stringify(value) ?? "";
        if (isWhole && isOfKind(value)) found.push(fact(ranks.value, `had ${name} ${text}`));
        if (typeof value === "object" && value !== null) continue;
        // Reads are asked with the same values again and again.
        if (isChanging(operation) && before.values.has(`${name} ${text}`))
          found.push(fact(ranks.again, `had a value of ${name} with which the same caller had been served before`));
      }
      for (const name of ownHeaders(request)) found.push(fact(ranks.header, `had the header ${name}`));
      const key = madeBy(caller);
      if (key !== null) found.push(fact(ranks.key, `used a key that ${key} had made`));
      for (const [name, { calls, served }] of callers.get(caller) ?? []) {
        if (name === operation && calls > 0)
          found.push(fact(ranks.after, `came after another ${name} of the same caller`));
        if (served === 0 || !isChanging(name)) continue;
        found.push(fact(ranks.after, `came after a ${name} that had been served`));
        if (served <= mostCounted)
          found.push(fact(ranks.times, `came after exactly ${served} ${name} that had been served`));
      }
      if (before.calls > 0 && clock > before.clock)
        found.push(fact(ranks.clock, "came when time had passed since the like call before"));
      facts.set(exchange, new Set(found));

      before.calls += 1;
      before.clock = clock;
      const isServed = outcome?.kind === "response" && outcome.status < 300;
      if (isServed && isChanging(operation)) changes += 1;
      before.changes = changes;
      if (!isServed) return;
      before.served += 1;
      for (const { name, value } of sent)
        if (typeof value !== "object" || value === null) before.values.add(`${name} ${JSON.stringify(value)}`);
    },
    judged(exchange) {
      judged.add(exchange);
      return facts.get(exchange) ?? null;
    },
  };
}

/** What holds of the calls after a step of the sandbox, but for one that only makes ready, looks or lets time pass. */
function* arrangedBy({ through, what, request }: Step, fact: FactMaker): Generator<Fact> {
  if (through !== "sandbox" || what === null || /^(create|read|move the clock)\b/.test(what)) return;
  const says = `came after the sandbox was asked to ${what}`;
  yield fact(ranks.after, says);
  for (const { name, value, isWhole } of membersOf(parsed(request?.body ?? null), "body", 0, true))
    if (isWhole && isOfKind(value)) yield fact(ranks.key, `${says} with ${name} ${JSON.stringify(value)}`);
}

/** Whether a value is one of few that there can be. */
const isOfKind = (value: unknown): boolean =>
  value === null ||
  typeof value === "boolean" ||
  (typeof value === "number" && Math.abs(value) < 1000) ||
  (typeof value === "string" && /^([a-z][a-z_.:/-]{0,39}|\d{1,3})$/i.test(value)) ||
  value === "" ||
  (Array.isArray(value) && value.length === 0);

const credentialIn = ({ headers }: SentRequest): string =>
  (headers.authorization ?? "no credential").replace(/^Bearer +/i, "");

/** A part of what was sent. */
interface Sent {
  /** What it is called, such as `body/to`, `?since` or `{id}`. */
  readonly name: string;
  readonly value: unknown;
  /** It is no item of a list. */
  readonly isWhole: boolean;
}

/** Characters of a body that is looked at. */
const longestBody = 16_384;
/** Items of a list that are looked at. */
const mostItems = 20;
/** Members of members that are looked at. */
const deepest = 4;

function sentIn({ url, body }: SentRequest, operation: string): readonly Sent[] {
  const [path = "", query = ""] = url.replace(/^https?:\/\/[^/?#]*/, "").split("?");
  return [...pathValues(path, operation), ...queryValues(query), ...membersOf(parsed(body), "body", 0, true)];
}

function pathValues(path: string, operation: string): readonly Sent[] {
  const template = byId.get(operation)?.path.split("/") ?? [];
  const segments = path.split("/").slice(-template.length);
  return template.flatMap((name, index) =>
    name.startsWith("{") ? [{ name, value: segments[index] ?? "", isWhole: false }] : [],
  );
}

const queryValues = (query: string): readonly Sent[] =>
  [...new URLSearchParams(query)].map(([name, value]) => ({ name: `?${name}`, value, isWhole: true }));

function* membersOf(value: unknown, name: string, depth: number, isWhole: boolean): Generator<Sent> {
  if (value === undefined) return;
  if (depth > 0) yield { name, value, isWhole };
  if (typeof value !== "object" || value === null || depth === deepest) return;
  if (Array.isArray(value))
    for (const item of value.slice(0, mostItems)) yield* membersOf(item, `${name}/*`, depth + 1, false);
  else
    for (const [own, inner] of Object.entries(value))
      yield* membersOf(inner, childPointer(name, own), depth + 1, isWhole);
}

/** The JSON of a body; undefined for none, and for one that is too long. */
function parsed(text: string | null): unknown {
  try {
    return text === null || text.length > longestBody ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

const usual: ReadonlySet<string> = new Set(["authorization", "content-type", "accept-encoding", "content-length"]);

const ownHeaders = ({ headers }: SentRequest): readonly string[] =>
  Object.keys(headers)
    .map((name) => name.toLowerCase())
    .filter((name) => !usual.has(name));

const byId: ReadonlyMap<string, Operation> = new Map(
  Object.values<Operation>(operations).map((operation) => [operation.id, operation]),
);

const isChanging = (operation: string): boolean => byId.get(operation)?.changes !== "nothing";
