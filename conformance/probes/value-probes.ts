import { operationList } from "../../generated/operations.ts";
import { valueAt } from "../evidence/json-pointer.ts";
import { dataOf, type Exchange, objectOf } from "../exchange/exchange.ts";
import { isRead } from "../story/changes.ts";
import type { Step } from "../story/step.ts";
import { zoneNamed } from "./clock-probes.ts";
import { dataIn, exchangeIn, type Probe, placeAmong } from "./probe.ts";

/** A number or an instant that is told in another unit, form or zone. */
export const otherUnit: Probe = {
  id: "other-unit",
  says({ finding: { at = [], expected, actual } }) {
    for (const { admitted, seen, part } of at) {
      const [wanted, came] = [parsed(admitted), parsed(seen)];
      const where = part.kind === "member" && part.pointer !== "" ? part.pointer : "the value";
      const how = unitOf(wanted, came);
      if (how !== null) return `${where} is ${how}: ${seen} in place of ${admitted}`;
    }
    // Where a clock is named, more can be told than by how much it is off.
    if (zoneNamed(expected ?? "") !== null) return null;
    const [wanted, came] = [instantsIn(expected ?? ""), instantsIn(actual ?? "")];
    const hours = wanted.length > 0 && came.length === 1 ? zoneBetween(wanted, came[0] ?? 0) : null;
    if (hours !== null) return `a local time is told as UTC: it is ${hours} off`;
    const zone = zoneOf(Number(/\b(\d+) s off\b/.exec(actual ?? "")?.[1]));
    return zone === null ? null : `a local time is told as UTC: it is ${zone} off`;
  },
};

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return text;
  }
}

function unitOf(wanted: unknown, came: unknown): string | null {
  if (typeof wanted === "number" && typeof came === "number") {
    if (wanted === 0 || came === 0) return null;
    if (came === wanted * 1000 || wanted === came * 1000) return "in another unit, by a thousand";
    if (came === wanted * 100 || wanted === came * 100) return "in another unit, by a hundred";
    return null;
  }
  if (typeof wanted === "number" && came === String(wanted)) return "a text and no number";
  if (typeof came === "number" && wanted === String(came)) return "a number and no text";
  if (typeof wanted !== "string" || typeof came !== "string") return null;
  return wanted !== came && wanted.toLowerCase() === came.toLowerCase() ? "in other letters, large for small" : null;
}

const hour = 3600;

const instantsIn = (words: string): readonly number[] =>
  (words.match(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g) ?? []).map((text) => Date.parse(text) / 1000);

/** How far an instant is from the nearest one that was expected, where that is a difference of zones; null otherwise. */
function zoneBetween(wanted: readonly number[], came: number): string | null {
  return zoneOf(Math.min(...wanted.map((instant) => Math.abs(came - instant))));
}

/** Seconds that the clocks of kit and server may be apart. */
const slack = 10;

/** A difference of zones, which are whole quarters of an hour apart and no more than 14 hours from UTC. */
function zoneOf(seconds: number): string | null {
  const rounded = Math.round(seconds / (hour / 4)) * (hour / 4);
  return rounded >= hour && rounded <= 14 * hour && Math.abs(seconds - rounded) <= slack ? `${rounded / hour} h` : null;
}

/** Two values that are taken for one because they are alike. */
export const takenForOne: Probe = {
  id: "taken-for-one",
  says({ finding: { exchanges } }) {
    const [one, other] = exchanges.slice(-2);
    if (one === undefined || other === undefined || one.operation !== other.operation) return null;
    const [first, second] = [shownId(one), shownId(other)];
    if (first === undefined || first !== second || haveSameKey(one, other)) return null;
    const apart = valuesApart(one, other);
    const [name, a, b] = apart[0] ?? [];
    if (apart.length !== 1 || name === undefined || a === undefined || b === undefined) return null;
    const how = a.toLowerCase() === b.toLowerCase() ? "whatever their case" : startOf(a, b);
    return how === null ? null : `values of ${name} are taken for the same ${how}: ${a} and ${b}`;
  },
};

/** Returns true if two calls have one idempotency key, which explains the same response by itself. */
function haveSameKey(one: Exchange, other: Exchange): boolean {
  const header = operationList.find(({ id }) => id === one.operation)?.idempotencyHeader?.toLowerCase();
  if (header === undefined) return false;
  const [key, otherKey] = [one, other].map((exchange) => valuesOf(exchange).get(header));
  return key !== undefined && key === otherKey;
}

const shownId = (exchange: Exchange): unknown => objectOf(dataOf(exchange))?.id;

function valuesApart(one: Exchange, other: Exchange): readonly (readonly [name: string, a: string, b: string])[] {
  const [mine, theirs] = [valuesOf(one), valuesOf(other)];
  return [...mine].flatMap(([name, a]) => {
    const b = theirs.get(name);
    return b === undefined || a === b ? [] : [[name, a, b] as const];
  });
}

/** Headers and members of the body, by name, without the credential: what looks like a secret is shown to nobody. */
const valuesOf = ({ request }: Exchange): ReadonlyMap<string, string> =>
  new Map([
    ...Object.entries(request.headers)
      .filter(([name]) => name.toLowerCase() !== "authorization")
      .map(([name, value]) => [name.toLowerCase(), value] as const),
    ...Object.entries(objectOf(parsed(request.body)) ?? {}).map(
      ([name, value]) => [name, JSON.stringify(value)] as const,
    ),
  ]);

function startOf(a: string, b: string): string | null {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length * 2 >= Math.min(a.length, b.length) && length >= 8
    ? `because of their first ${length} characters`
    : null;
}

/** What an earlier call gave, in place of what a later one for the same did. */
export const earlierAnswer: Probe = {
  id: "earlier-answer",
  says({ finding: { at = [], expected, actual, isAstray = false }, steps }) {
    // What is named there is where else something came, and not in place of what.
    if (isAstray) return null;
    const pairs = [
      ...at.map(({ admitted, seen }) => [admitted ?? "", seen ?? ""] as const),
      [expected ?? "", actual ?? ""] as const,
    ];
    for (const [wanted, came] of pairs) {
      const [later, earlier] = [makerOf(wanted, steps), makerOf(came, steps)];
      if (later === null || earlier === null || later.operation !== earlier.operation) continue;
      const alike = steps.filter((step) => step.operation === later.operation && isServedAlike(step, later));
      if (!alike.includes(earlier) || alike.indexOf(earlier) >= alike.indexOf(later)) continue;
      const which = alike.indexOf(earlier) === 0 ? `the first of ${alike.length} for the same` : "one before the last";
      return `what an earlier call gave is kept: it is that of answer ${earlier.exchange}, ${which}, and not that of answer ${later.exchange}`;
    }
    return null;
  },
};

const idIn = (text: string): string | null => /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/i.exec(text)?.[0] ?? null;

/** The call that made the record whose id stands in a text; null for none. */
function makerOf(text: string, steps: readonly Step[]): Step | null {
  const id = idIn(text);
  return id === null
    ? null
    : (steps.find((step) => step.through === "api" && objectOf(dataIn(step))?.id === id) ?? null);
}

/** Whether a step was answered with success to the same caller that asked for the same. */
const isServedAlike = ({ request, outcome }: Step, other: Step): boolean =>
  outcome?.kind === "response" &&
  outcome.status < 300 &&
  request?.url === other.request?.url &&
  request?.body === other.request?.body &&
  request?.headers.authorization === other.request?.headers.authorization;

/** What the answer to a change showed of a member that is as it was before: where it was right there, it was not kept. */
function shownByChange(change: number | null, value: unknown, came: string): string {
  if (value === undefined) return "";
  const text = JSON.stringify(value);
  return text === came ? `, and so does answer ${change}` : `, though answer ${change} itself shows ${text}`;
}

/** A member that a change was to change, and that is as it was before. */
export const valueBefore: Probe = {
  id: "value-before",
  says(seen) {
    const exchange = exchangeIn(seen);
    const { at = [] } = seen.finding;
    const id = exchange === null ? null : shownId(exchange);
    if (exchange === null || typeof id !== "string") return null;
    const before = seen.steps.slice(0, Math.max(placeAmong(exchange, seen.steps), 0));
    const last = before.findLastIndex((step) => isChangeOf(step, id));
    const change = before[last];
    if (change === undefined) return null;
    for (const { part, in: where, seen: came } of at) {
      if (part.kind !== "member" || where?.kind !== "exchange" || where.number !== exchange.number) continue;
      // Short ones are the same by chance.
      if (came === null || came.length < leastTelling || !part.pointer.startsWith("/data/")) continue;
      const earlier = before
        .slice(0, last)
        .findLast((step) => objectOf(dataIn(step))?.id === id && JSON.stringify(memberIn(step, part.pointer)) === came);
      if (earlier !== undefined)
        return `${part.pointer} is still what it was before answer ${change.exchange}: answer ${earlier.exchange} shows the same${shownByChange(change.exchange, memberIn(change, part.pointer), came)}`;
    }
    return null;
  },
};

/** Characters of a value's JSON, quotes and all, that tell it from others. */
const leastTelling = 10;

const memberIn = ({ outcome }: Step, pointer: string): unknown =>
  outcome?.kind === "response" ? valueAt(outcome.json, pointer) : undefined;

/** Whether a call changed the record with that id, which its address names. */
const isChangeOf = (step: Step, id: string): boolean =>
  !isRead(step) &&
  step.through === "api" &&
  step.outcome?.kind === "response" &&
  step.outcome.status < 300 &&
  (step.request?.url.includes(id) ?? false);
