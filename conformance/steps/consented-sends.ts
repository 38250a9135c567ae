import { buckets } from "../../generated/limits.ts";
import type { CheckContext } from "../context/context.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Tenant } from "../provision/tenant.ts";
import { answeredBy } from "./answered-by.ts";
import { eventually } from "./settle.ts";
import { isThrottled } from "./throttle.ts";

/** Seconds in which both buckets of sends refill, also if windows overlap. */
const refillSeconds =
  2 * Math.max(buckets.messageSendsPerSecond.periodSeconds, buckets.messageSendsPerMinute.periodSeconds);

/** A send, which can be made again. */
type Send = () => Promise<Exchange>;

/** Returns true if a send was refused because the consent of its recipient is missing or does not count yet. */
export const lacksConsent = (exchange: Exchange): boolean => answeredBy(exchange, "ConsentRequired");

/** A send once the consent of its recipient counts, which may take a moment (Q250), or the last refusal for want of it. */
export async function consentedSend(t: CheckContext, tenant: Tenant, send: Send): Promise<Exchange> {
  let last = await send();
  if (lacksConsent(last))
    await eventually(t, tenant, async () => {
      last = await send();
      // Refused sends may consume the limit too.
      if (isThrottled(last)) await tenant.advance(refillSeconds, "room for a send");
      return lacksConsent(last) || isThrottled(last) ? null : true;
    });
  return last;
}

/**
 * Makes a burst of sends. A send may be refused because a consent does not count yet. Then the function waits until the
 * consents count and the buckets are full, and makes the burst again. It needs a manual clock for that.
 *
 * @param toEach A send to each recipient of the burst.
 */
export async function consentedBurst<T>(
  t: CheckContext,
  tenant: Tenant,
  toEach: readonly Send[],
  { make, sends }: { readonly make: () => Promise<T>; readonly sends: (burst: T) => readonly Exchange[] },
): Promise<T> {
  const first = await make();
  if (!tenant.manualClock || !sends(first).some(lacksConsent)) return first;
  for (const send of toEach) await consentedSend(t, tenant, send);
  await tenant.advance(refillSeconds, "full buckets after the sends that showed the consents");
  return make();
}
