import { buckets } from "../../../generated/limits.ts";
import { rowAllows, rowNamed } from "../../check/admits.ts";
import type { CheckContext } from "../../check/context.ts";
import { newLabel } from "../../check/new-label.ts";
import { codeOf, type Exchange, headerOf, isSuccess, statusOf } from "../../exchange/exchange.ts";
import type { Credential, Tenant } from "../../ladder/tenant.ts";
import { readScope } from "../api-keys/grantable.ts";

/** The bucket of creations and rotations. */
export const { capacity, periodSeconds } = buckets.apiKeyWrites;

/** One valid creation, whatever the answer. */
export const create = (t: CheckContext, as: Credential): Promise<Exchange> =>
  t.attempt("createApiKey", { body: { label: newLabel(), scopes: [readScope] } }, as);

/** Whether an exchange is the refusal of an empty bucket. */
export const isThrottled = (exchange: Exchange): boolean =>
  rowAllows(rowNamed("RateLimited"), statusOf(exchange) ?? 0) && codeOf(exchange) === rowNamed("RateLimited").code;

/** Makes sure that the bucket is full: others may have drawn from the one of an organization that is shared. */
export async function fillBucket(tenant: Tenant): Promise<void> {
  if (!tenant.fresh) await tenant.advance(periodSeconds, "a full bucket");
}

/** What a burst showed. */
export interface Burst {
  readonly admitted: readonly Exchange[];
  /** The call past the capacity, refused as it should be or not. */
  readonly beyond: Exchange;
  /** The first call within the capacity that was not admitted. */
  readonly refusedEarly: Exchange | null;
}

/**
 * Makes as many calls as a full bucket admits and one more. Where time runs, a window may turn or a unit refill
 * between two calls: a call beyond that is admitted is then no breach yet, and the whole burst is made once more.
 */
export async function burst(call: (index: number) => Promise<Exchange>, as: Credential): Promise<Burst> {
  const first = await once(call);
  if (as.tenant.manualClock || !isSuccess(first.beyond)) return first;
  await as.tenant.advance(periodSeconds, "a full bucket for a second burst");
  return once(call);
}

async function once(call: (index: number) => Promise<Exchange>): Promise<Burst> {
  const exchanges: Exchange[] = [];
  for (let index = 0; index < capacity; index += 1) exchanges.push(await call(index));
  return {
    admitted: exchanges.filter(isSuccess),
    refusedEarly: exchanges.find((exchange) => !isSuccess(exchange)) ?? null,
    beyond: await call(capacity),
  };
}

/** Seconds that a refusal asks to wait; a period when it does not say. */
export function retryAfterOf(exchange: Exchange): number {
  const seconds = Number(headerOf(exchange, "Retry-After"));
  return seconds > 0 && seconds <= periodSeconds * 10 ? seconds : periodSeconds;
}
