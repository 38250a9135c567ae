import { isDeepStrictEqual } from "node:util";
import { abstracted } from "../../conformance/evidence/abstracted.ts";
import { differences } from "../../conformance/evidence/differences.ts";
import { valuesIn } from "../../conformance/evidence/json-pointer.ts";
import type { Exchange } from "../../conformance/exchange/exchange.ts";
import { newBreaker } from "../../conformance/liveness/breaker.ts";
import { openSender, type Sender } from "../../conformance/sending/sender.ts";
import type { Step } from "../../conformance/story/step.ts";

/** One call of a story as it was answered when it was made once more. */
interface Replayed {
  /** Number of the exchange in the run that the story is of; null for a call of the sandbox. */
  readonly number: number | null;
  readonly answer: Exchange;
  /** What an answer has in place of what the first run was given, back to that. */
  readonly known: ReadonlyMap<string, string>;
}

/** A server with its sandbox. */
interface Asked {
  readonly url: string;
  readonly sandboxToken: string;
}

/** Steps of a story that are made once more at most; the last ones show the breach. */
const mostSteps = 300;

/** Milliseconds for an answer. */
const timeout = 2_000;

/**
 * The calls of a story, one after another, to another server in place of the one it is of, each with what earlier answers
 * gave in place of what those of the story did. Nothing is waited for in between.
 */
export async function replayed(steps: readonly Step[], from: Asked, to: Asked): Promise<readonly Replayed[]> {
  const sender = openSender({
    ...{ baseUrl: to.url, timeout, breaker: newBreaker("server", "look at it") },
    ...{ closing: new AbortController().signal, observe: () => undefined },
  });
  const given = new Map([[from.sandboxToken, to.sandboxToken]]);
  const known = new Map<string, string>();
  const made: Replayed[] = [];
  try {
    for (const { request, outcome, exchange: number } of steps.slice(-mostSteps)) {
      if (request === null || !request.url.startsWith(from.url)) continue;
      // What no longer answers at all gives nothing to go on with.
      const answer = await sendAgain(sender, request, from.url, given).catch(() => null);
      if (answer === null) break;
      made.push({ number, answer, known });
      if (answer.outcome.kind === "lost" || outcome?.kind !== "response") continue;
      const now = new Map(textsIn(answer.outcome.json));
      for (const [pointer, value] of textsIn(outcome.json)) {
        const own = now.get(pointer);
        if (own === undefined || own === value || !isParticular(value) || given.has(value)) continue;
        given.set(value, own);
        known.set(own, value);
      }
    }
  } finally {
    await sender.close();
  }
  return made;
}

function sendAgain(
  sender: Sender,
  { method, url, headers, repeatedHeaders, body, bodyBase64 }: NonNullable<Step["request"]>,
  from: string,
  given: ReadonlyMap<string, string>,
): Promise<Exchange> {
  const again = (text: string): string => {
    let made = text;
    for (const [value, own] of given) {
      made = made.replaceAll(value, own);
      const inAddress = encodeURIComponent(value);
      if (inAddress !== value) made = made.replaceAll(inAddress, encodeURIComponent(own));
    }
    return made;
  };
  return sender.send({
    method,
    path: again(url.slice(from.length)),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, again(value)])),
    ...(repeatedHeaders && { repeatedHeaders }),
    body: bodyBase64 === undefined ? body && again(body) : Buffer.from(bodyBase64, "base64"),
  });
}

/** The texts in a value of JSON with their places. */
function* textsIn(json: unknown): Generator<readonly [pointer: string, value: string]> {
  for (const [pointer, value] of valuesIn(json)) if (typeof value === "string") yield [pointer, value];
}

/** What a run made up, and no word of the contract: an id, a secret, a cursor, a time. */
const isParticular = (text: string): boolean => text.length >= 8 && (/\d/.test(text) || /[A-Z].*_|_.*[A-Z]/.test(text));

/**
 * The numbers of the calls of one story that two servers answered differently, ids, secrets and the time of day aside, each
 * with what differs: `status`, `header <name>`, a JSON Pointer into the body, or `body`.
 */
export function answeredApart(
  some: readonly Replayed[],
  others: readonly Replayed[],
): ReadonlyMap<number, readonly string[]> {
  const apart = new Map<number, readonly string[]>();
  for (const [at, one] of some.entries()) {
    const other = others[at];
    if (one.number === null || other === undefined) continue;
    const places = placesApart(one, other);
    if (places.length > 0) apart.set(one.number, places);
  }
  return apart;
}

function placesApart(one: Replayed, other: Replayed): readonly string[] {
  const [mine, theirs] = [one.answer.outcome, other.answer.outcome];
  if (mine.kind === "lost" || theirs.kind === "lost") return mine.kind === theirs.kind ? [] : ["status"];
  const names = new Set([...Object.keys(mine.headers), ...Object.keys(theirs.headers)]);
  const isSame = (a: unknown, b: unknown): boolean => isSameValue(a, b, one, other);
  return [
    ...(mine.status === theirs.status ? [] : ["status"]),
    ...[...names]
      .filter((name) => !ofTheMoment.has(name) && !isSame(mine.headers[name], theirs.headers[name]))
      .map((name) => `header ${name}`),
    ...(mine.json === undefined || theirs.json === undefined
      ? isSame(mine.text, theirs.text)
        ? []
        : ["body"]
      : differences(theirs.json, mine.json)
          .filter(({ actual, expected }) => !isSame(actual, expected))
          .map(({ pointer }) => pointer)),
  ];
}

/** Headers that tell of the connection or the moment. */
const ofTheMoment: ReadonlySet<string> = new Set(["date", "content-length", "connection", "keep-alive", "etag"]);

/** Milliseconds that two replays may differ in what time it is. */
const slack = 5_000;

function isSameValue(a: unknown, b: unknown, one: Replayed, other: Replayed): boolean {
  if (typeof a !== "string" || typeof b !== "string") return isDeepStrictEqual(a, b);
  const [mine, theirs] = [Date.parse(a) - one.answer.sentAt, Date.parse(b) - other.answer.sentAt];
  if (isTime(a) && isTime(b)) return Math.abs(mine - theirs) <= slack;
  // Seconds to wait are told rounded.
  if (isCount(a) && isCount(b)) return Math.abs(Number(a) - Number(b)) <= 1;
  return abstracted(one.known.get(a) ?? a) === abstracted(other.known.get(b) ?? b);
}

const isTime = (text: string): boolean => /^\d{4}-\d\d-\d\dT/.test(text);
const isCount = (text: string): boolean => /^\d+$/.test(text);
