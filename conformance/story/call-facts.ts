import { type Fact, type FactMaker, leastOfHistory } from "../evidence/apart.ts";
import { childPointer } from "../evidence/json-pointer.ts";
import { objectOf, type SentRequest } from "../exchange/exchange.ts";
import {
  type CallerOrganization,
  credentialIn,
  newCallerOrganizations,
  organizationIn,
} from "./caller-organizations.ts";
import { ofOrganization } from "./calls-alike.ts";
import { isChanging, operationsById } from "./changes.ts";
import { keyIn, scopesIn } from "./key-scopes.ts";
import { once } from "./once.ts";
import { parsedBody } from "./parsed-body.ts";
import { secondsOf } from "./passed.ts";
import { scopeStandings } from "./scope-standings.ts";
import { mostScopesText } from "./scope-words.ts";
import type { Standing, Step } from "./step.ts";
import { newToldBefore } from "./told-before.ts";

/** Learns what was done in the course of one check, and tells what holds of each of its calls. */
export interface CallFacts {
  hear(step: Step): void;
  /**
   * What held of a call of which something is decided, by its number in the run; null for one of another check. A call that
   * does the same as the one before, of which nothing was, is that one tried again where nothing was changed meanwhile.
   */
  judged(exchange: number): CallLooked | null;
}

/** What can be known of a call; it is found out where somebody asks. */
export interface CallLooked {
  facts(): ReadonlySet<Fact>;
  /** What it was made of, as JSON by name: members, parameters, headers, and what its organization was created with. */
  parts(): ReadonlyMap<string, string>;
}

/** How plainly a fact tells of a fault, the plainest first: what a call was itself before what had been done before it. */
const ranks = {
  ...{ standing: 0, value: 1, member: 2, header: 2, setting: 3, key: 3 },
  ...{ again: leastOfHistory, after: leastOfHistory + 1, times: leastOfHistory + 2, clock: leastOfHistory + 3 },
};

/** Calls of a kind that are counted; more are not told apart. */
const mostCounted = 4;

/** Facts of what the sandbox did that are kept. */
const mostArranged = 20;

/** Characters of a setting whose value is told. */
const longestSetting = 80;

/** What the sandbox was asked for, and in which organization; null for none. */
interface Arranged {
  readonly fact: Fact;
  readonly organization: string | null;
}

/** A call, with what is needed to tell later what held of it: few calls are ever asked for it. */
interface Call {
  readonly operation: string;
  readonly url: string;
  /** Null where there was none, and where it is too long to be looked at. */
  readonly body: string | null;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly credential: string;
  /** How what it was made with stood to what had been told. */
  readonly standing: Standing;
  readonly isServed: boolean;
  /** What it was answered with, such as "502 LOOKUP_FAILED"; null where no answer came. */
  readonly came: string | null;
  /** What the sandbox had been asked for by then, as the number of its facts. */
  readonly arranged: number;
  /** The operation whose answer gave its caller's key; null for a key that was given otherwise. */
  readonly keyOf: string | null;
  /** Whether time had passed in the check since the caller's last call of this operation. */
  readonly isLater: boolean;
  /** The caller's call before this one; calls that were tried again are left out. */
  readonly previous: Call | null;
}

/** The last of the calls of one operation that one caller made. */
interface Last {
  call: Call;
  /** Its number. */
  exchange: number;
  /** The time that had passed in the check, and what had been changed there when it was answered. */
  clock: number;
  changes: number;
  /** All of what it asked, as a text of its own: the call has not what is too long. */
  body: string | null;
}

/** The calls of one caller. */
interface Caller {
  last: Call | null;
  readonly byOperation: Map<string, Last>;
}

/** `issuedBy` tells the call of the API whose answer gave a key; null for a key that was given otherwise. */
export function newCallFacts(fact: FactMaker, issuedBy: (secret: string) => Step | null): CallFacts {
  const calls = new Map<number, Call>();
  const judged = new Set<number>();
  const arranged: Arranged[] = [];
  const callers = new Map<string, Caller>();
  const organizations = newCallerOrganizations(issuedBy);
  const told = newToldBefore();
  const granted = new Map<string, readonly string[]>();
  let clock = 0;
  let changes = 0;

  const callerOf = (credential: string): Caller => {
    const caller = callers.get(credential) ?? { last: null, byOperation: new Map() };
    callers.set(credential, caller);
    return caller;
  };

  /** Those of a key that the sandbox made, or a call of the API. */
  const scopesOf = (credential: string): readonly string[] =>
    granted.get(credential) ?? scopesIn(issuedBy(credential)?.request?.body ?? null);

  return {
    hear(step) {
      clock += secondsOf(step);
      const organization = organizationIn(step);
      const arranges = arrangedBy(step, fact);
      for (const one of arranges)
        if (arranged.length < mostArranged && !arranged.some((a) => a.fact === one && a.organization === organization))
          arranged.push({ fact: one, organization });
      if (arranges.length > 0) changes += 1;
      organizations.hear(step);
      const key = keyIn(step);
      if (key !== null) granted.set(key.secret, key.scopes);
      const { exchange, operation = null, request, outcome } = step;
      const credential = request === null ? "" : credentialIn(request);
      const standing = exchange === null ? [] : told.standingOf(step, () => organizations.of(credential)?.id ?? null);
      told.hear(step);
      if (exchange === null || operation === null || request === null) return;
      const caller = callerOf(credential);
      const { url, body } = request;
      const last = caller.byOperation.get(operation);
      const isAsBefore = last?.call.url === url && last.body === body && last.changes === changes;
      if (isAsBefore && !judged.has(last.exchange)) {
        calls.set(exchange, last.call);
        Object.assign(last, { exchange, clock });
        return;
      }
      const isServed = outcome?.kind === "response" && outcome.status < 300;
      const call: Call = {
        ...{ operation, url, isServed, came: cameOf(step), previous: caller.last },
        body: body === null || body.length > longestBody ? null : body,
        headers: ownHeaders(request),
        ...{ credential, standing },
        arranged: arranged.length,
        keyOf: issuedBy(credential)?.operation ?? null,
        isLater: last !== undefined && clock > last.clock,
      };
      if (isServed && isChanging(operation)) changes += 1;
      calls.set(exchange, call);
      caller.last = call;
      caller.byOperation.set(operation, { call, exchange, clock, changes, body });
    },
    judged(exchange) {
      judged.add(exchange);
      const call = calls.get(exchange);
      if (call === undefined) return null;
      return {
        facts() {
          const organization = organizations.of(call.credential);
          return new Set([
            ...settingFacts(organization, fact),
            ...arrangedFor(call, arranged, organization),
            ...factsOf(call, fact),
            ...scopesOf(call.credential).map((scope) => fact(ranks.key, `used a key with ${scope}`)),
            ...scopeStandings(
              sentIn(call).map(({ value }) => value),
              scopesOf(call.credential),
            ).map((says) => fact(ranks.member, says)),
            ...servedToOthers(call, exchange, calls, fact),
            ...doneBeside(call, exchange, calls, (credential) => organizations.of(credential)?.id ?? null, fact),
          ]);
        },
        parts: () => new Map(partsOf(call, scopesOf(call.credential), settingsOf(organizations.of(call.credential)))),
      };
    },
  };
}

/** What the sandbox had been asked for before a call; what is known to be another organization's is left out. */
function* arrangedFor(
  call: Call,
  arranged: readonly Arranged[],
  organization: CallerOrganization | null,
): Generator<Fact> {
  for (const one of arranged.slice(0, call.arranged))
    if (one.organization === null || (organization?.id ?? one.organization) === one.organization) yield one.fact;
}

/** What the organization of a caller was created with. */
function* settingFacts(organization: CallerOrganization | null, fact: FactMaker): Generator<Fact> {
  for (const [name, value] of settingsOf(organization)) {
    const text = JSON.stringify(value) ?? "";
    yield fact(ranks.setting, `had an organization with ${name} ${text.length > longestSetting ? "of its own" : text}`);
  }
}

/** What held of a call. */
function* factsOf(call: Call, fact: FactMaker): Generator<Fact> {
  const { operation } = call;
  const before = new Map<string, { calls: number; served: number }>();
  const values = new Set<string>();
  const refused = new Map<string, Set<string>>();
  for (let one = call.previous; one !== null; one = one.previous) {
    const { calls, served } = before.get(one.operation) ?? { calls: 0, served: 0 };
    before.set(one.operation, { calls: calls + 1, served: served + (one.isServed ? 1 : 0) });
    if (one.operation !== operation || !isChanging(operation)) continue;
    for (const { name, value } of sentIn(one)) {
      if (isObject(value)) continue;
      const text = `${name} ${JSON.stringify(value)}`;
      if (one.isServed) values.add(text);
      else if (one.came !== null) refused.set(text, (refused.get(text) ?? new Set()).add(one.came));
    }
  }
  for (const [name, text] of call.standing) yield fact(ranks.standing, `had ${name} ${text}`);
  for (const { name, value, isWhole } of sentIn(call)) {
    yield fact(ranks.member, `had ${name}`);
    const text = JSON.stringify(value) ?? "";
    if (isWhole && Array.isArray(value) && value.length <= mostItems)
      yield fact(ranks.value, `had ${value.length} in ${name}`);
    if (isWhole && isOfKind(value)) yield fact(ranks.value, `had ${name} ${text}`);
    // Reads are asked with the same values again and again.
    if (!isObject(value) && values.has(`${name} ${text}`))
      yield fact(ranks.again, `had a value of ${name} with which the same caller had been served before`);
    // Whatever came this time: what holds by what came itself sets nothing apart.
    for (const came of isObject(value) ? [] : (refused.get(`${name} ${text}`) ?? []))
      yield fact(ranks.again, `had a value of ${name} with which the same caller had been answered ${came} before`);
  }
  for (const [name] of call.headers) yield fact(ranks.header, `had the header ${name}`);
  if (call.keyOf !== null) yield fact(ranks.key, `used a key that ${call.keyOf} had made`);
  for (const [name, { served }] of before) {
    if (name === operation) yield fact(ranks.after, `came after another ${name} of the same caller`);
    if (served === 0 || !isChanging(name)) continue;
    yield fact(ranks.after, `came after a ${name} that had been served`);
    if (served <= mostCounted) yield fact(ranks.times, `came after exactly ${served} ${name} that had been served`);
  }
  if (call.isLater) yield fact(ranks.clock, "came when time had passed since the like call before");
}

/** What of a call other callers had been served with before, where it changes something: their answers may be known still. */
function* servedToOthers(
  call: Call,
  exchange: number,
  calls: ReadonlyMap<number, Call>,
  fact: FactMaker,
): Generator<Fact> {
  if (!isChanging(call.operation)) return;
  const served = new Set<string>();
  for (const [number, other] of calls) {
    if (number >= exchange || !other.isServed) continue;
    if (other.operation !== call.operation || other.credential === call.credential) continue;
    for (const { name, value, isWhole } of sentIn(other)) if (isWhole) served.add(`${name} ${JSON.stringify(value)}`);
  }
  for (const { name, value, isWhole } of sentIn(call))
    if (isWhole && served.has(`${name} ${JSON.stringify(value)}`))
      yield fact(ranks.again, `had a value of ${name} with which another caller had been served before`);
}

/** What other callers of its organization had changed. */
function* doneBeside(
  call: Call,
  exchange: number,
  calls: ReadonlyMap<number, Call>,
  organizationOf: (credential: string) => string | null,
  fact: FactMaker,
): Generator<Fact> {
  const own = organizationOf(call.credential);
  if (own === null) return;
  for (const [number, { operation, credential, isServed }] of calls) {
    if (number >= exchange || !isServed || credential === call.credential || !isChanging(operation)) continue;
    if (organizationOf(credential) === own)
      yield fact(
        ranks.after,
        `came after a ${operation} with which another caller of its organization had been served`,
      );
  }
}

/** What a call was made of. */
function* partsOf(call: Call, scopes: readonly string[], settings: Settings): Generator<[string, string]> {
  for (const [name, text] of call.standing) yield [name, text];
  for (const { name, value } of sentIn(call)) {
    const [, member = name] = /^body\/(.*)$/s.exec(name) ?? [];
    // What stands deeper is shown with what it stands in.
    if (!/[/*]/.test(member)) yield [member, JSON.stringify(value)];
  }
  for (const [name, value] of call.headers) yield [name, JSON.stringify(value)];
  if (scopes.length > 0) yield ["caller's scopes", mostScopesText(scopes) ?? JSON.stringify(scopes)];
  for (const [name, value] of settings) yield [`${ofOrganization}${name}`, JSON.stringify(value)];
}

type Settings = readonly (readonly [name: string, value: unknown])[];

const settingsOf = (organization: CallerOrganization | null): Settings =>
  Object.entries(organization?.settings ?? {}).filter(([name]) => !ofTheKit.has(name));

/** Settings that are as the kit needs them to wait, or not to. */
const ofTheKit: ReadonlySet<string> = new Set(["clock"]);

/** What holds of the calls after a step of the sandbox, but for one that only makes ready, looks or lets time pass. */
function arrangedBy({ through, what, request }: Step, fact: FactMaker): readonly Fact[] {
  if (through !== "sandbox" || what === null || /^(create|read|move the clock)\b/.test(what)) return [];
  const says = `came after the sandbox was asked to ${what}`;
  const sent = [...membersOf(parsed(request?.body ?? null), "body", 0, true)];
  // Of none of something nothing comes, as of an outage that lasts no call.
  if (sent.some(({ name, value }) => name === "body/calls" && value === 0)) return [];
  const values = sent
    .filter(({ value, isWhole }) => isWhole && isOfKind(value))
    .map(({ name, value }) => fact(ranks.key, `${says} with ${name} ${JSON.stringify(value)}`));
  return [fact(ranks.after, says), ...values];
}

/** What an answer was, by its status and, of a refusal, its code. */
function cameOf({ outcome }: Step): string | null {
  if (outcome?.kind !== "response") return null;
  const code = outcome.status < 400 ? undefined : objectOf(objectOf(outcome.json)?.error)?.code;
  return `${outcome.status}${typeof code === "string" ? ` ${code}` : ""}`;
}

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;

/** Whether a value is one of few that there can be. */
const isOfKind = (value: unknown): boolean =>
  value === null ||
  typeof value === "boolean" ||
  (typeof value === "number" && Math.abs(value) < 1000) ||
  (typeof value === "string" && /^([a-z][a-z_.:/-]{0,39}|\d{1,3})$/i.test(value)) ||
  value === "" ||
  (Array.isArray(value) && value.length === 0);

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

const sentIn = once(({ url, body, operation }: Call): readonly Sent[] => {
  const [path = "", query = ""] = url.replace(/^https?:\/\/[^/?#]*/, "").split("?");
  return [...pathValues(path, operation), ...queryValues(query), ...membersOf(parsed(body), "body", 0, true)];
});

function pathValues(path: string, operation: string): readonly Sent[] {
  const template = operationsById.get(operation)?.path.split("/") ?? [];
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
const parsed = (text: string | null): unknown =>
  text === null || text.length > longestBody ? undefined : parsedBody(text);

const usual: ReadonlySet<string> = new Set(["authorization", "content-type", "accept-encoding", "content-length"]);

const ownHeaders = ({ headers }: SentRequest): Call["headers"] =>
  Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !usual.has(name));
