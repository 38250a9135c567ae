import type { CheckContext } from "../context/context.ts";
import type { BucketSize } from "../context/draws.ts";
import { atPart, header, type Place } from "../evidence/place.ts";
import { rowAllows, rowNamed } from "../exchange/admits.ts";
import { codeOf, type Exchange, isSuccess, statusOf, summaryOf } from "../exchange/exchange.ts";
import { retryAfterHeader, retryAfterIn } from "../exchange/retry-after.ts";
import { Blocked } from "../outcome/verdict.ts";
import { newLabel } from "../provision/new-label.ts";
import type { Credential, Tenant } from "../provision/tenant.ts";
import { readScope } from "./grantable.ts";

/** One valid creation, whatever the answer. */
export const create = (t: CheckContext, as: Credential, scopes: readonly string[] = [readScope]): Promise<Exchange> =>
  t.attempt("createApiKey", { body: { label: newLabel(), scopes } }, as);

/** Whether an exchange is the refusal of an empty bucket. */
export const isThrottled = (exchange: Exchange): boolean =>
  rowAllows(rowNamed("RateLimited"), statusOf(exchange) ?? 0) && codeOf(exchange) === rowNamed("RateLimited").code;

/**
 * Leaves the bucket time to fill, and tells whether it is full for sure. It is not where others may draw from it too, nor
 * where windows overlap and the one before still counts. `alone`: the organization was a fresh one to begin with.
 */
export async function fillBucket(tenant: Tenant, alone: boolean, { periodSeconds }: BucketSize): Promise<boolean> {
  if (tenant.fresh) return true;
  await tenant.advance(tenant.manualClock ? 2 * periodSeconds : periodSeconds, "a full bucket");
  return alone && tenant.manualClock;
}

/** Blocks where a call of a burst was refused for anything but the limit. */
export function blockUnlessThrottled(refused: Exchange | null): void {
  if (refused === null || isThrottled(refused)) return;
  throw new Blocked(
    `a call of the burst was answered ${summaryOf(refused)}`,
    "see the rules on this request first",
    "server",
  );
}

/** Times that who was refused for a limit asks again while time stands still. */
export const insistence = 3;

/** What a burst showed. */
export interface Burst {
  readonly admitted: readonly Exchange[];
  /**
   * The call past the capacity, refused as it should be or not. Where time stands still, it was made again and again:
   * the first that was not refused, else the last, since how long it is to wait may go by the calls before it.
   */
  readonly beyond: Exchange;
  /** The first call within the capacity that was not admitted. */
  readonly refusedEarly: Exchange | null;
  /** From the first call to the last answer. */
  readonly milliseconds: number;
}

/**
 * Makes as many calls as a full bucket admits and one more. Where time runs, a window may turn between two calls: a
 * call beyond that is admitted is then no breach yet, and the whole burst is made once more. Blocks where the answers
 * are so slow that a unit refills meanwhile.
 */
export async function burst(
  call: (index: number) => Promise<Exchange>,
  as: Credential,
  { capacity, periodSeconds }: BucketSize,
): Promise<Burst> {
  const first = await once(call, capacity, as.tenant.manualClock ? mostAtOnce : 1);
  if (as.tenant.manualClock) return insisting(call, first, capacity);
  if (!isSuccess(first.beyond)) return first;
  await as.tenant.advance(periodSeconds, "a full bucket for a second burst");
  const second = await once(call, capacity, 1);
  // The soonest that a used-up unit may come back.
  const refillMilliseconds = (periodSeconds * 1000) / capacity;
  if (!isSuccess(second.beyond) || second.milliseconds < refillMilliseconds) return second;
  throw new Blocked(
    `${capacity + 1} calls took ${second.milliseconds} ms, and a unit may refill every ${refillMilliseconds} ms`,
    "run the kit nearer to the target, or give it a manual clock",
    "environment",
  );
}

/** Asks again for what was refused: while time stands still, a limit has no room. */
async function insisting(call: (index: number) => Promise<Exchange>, first: Burst, capacity: number): Promise<Burst> {
  let { beyond } = first;
  for (let time = 1; time <= insistence && isThrottled(beyond); time += 1) beyond = await call(capacity + time);
  return { ...first, beyond };
}

/** Calls of a long burst that are under way at one time: at a moment that stands still their order tells nothing. */
const mostAtOnce = 8;

/** Calls of a burst that are made one after the other; of a longer one these are the last. */
const mostInTurn = 200;

async function once(call: (index: number) => Promise<Exchange>, capacity: number, atOnce: number): Promise<Burst> {
  const exchanges: Exchange[] = [];
  while (exchanges.length < capacity) {
    const lot = exchanges.length + mostInTurn < capacity ? atOnce : 1;
    const indexes = Array.from({ length: lot }, (_, index) => exchanges.length + index);
    exchanges.push(...(await Promise.all(indexes.map(call))));
  }
  const beyond = await call(capacity);
  return {
    admitted: exchanges.filter(isSuccess),
    refusedEarly: exchanges.find((exchange) => !isSuccess(exchange)) ?? null,
    beyond,
    milliseconds: beyond.answeredAt - (exchanges[0] ?? beyond).sentAt,
  };
}

/** Seconds that a refusal asks to wait. Blocks when it does not say. */
export function retryAfterOf(exchange: Exchange): number {
  const header = retryAfterIn(exchange) ?? "none";
  if (/^[1-9]\d*$/.test(header)) return Number(header);
  throw new Blocked(`the refusal has ${header} for Retry-After`, "see LIM-12 first", "server");
}

/** The header of a refusal that asks for too much or too little, where what came of the wait is right in itself. */
export const atWait = (refusal: Exchange, admitted: string): readonly Place[] => [
  atPart(refusal, header(retryAfterHeader), admitted),
];

/**
 * Decides that a refusal asks for no longer than the limit takes to refill. Two periods without calls are enough for
 * fixed windows, for overlapping ones and for a bucket that refills evenly; a second more may be rounding.
 */
export function judgeRetryAfter(
  t: CheckContext,
  refusal: Exchange,
  { periodSeconds }: BucketSize,
  { warnOnly }: { readonly warnOnly: boolean },
): void {
  const seconds = retryAfterOf(refusal);
  t.verify("LIM-14", seconds <= 2 * periodSeconds + 1, {
    expected: `Retry-After of no more than ${2 * periodSeconds} s, twice the period of the limit`,
    actual: `${seconds} s`,
    exchanges: [refusal],
    warnOnly,
  });
}
