import type { Delivery } from "../exchange/delivery.ts";
import type { Tenant } from "../provision/tenant.ts";
import type { Inbox } from "../receiver/inbox.ts";
import { eventIdOf } from "./deliver-one.ts";

const minute = 60;
const hour = 60 * minute;

/** Seconds by which a clock is moved while a retry is waited for: any schedule of sense has one within these three days. */
const steps: readonly number[] = [1, 4, 10, minute, 5 * minute, 30 * minute, hour, 6 * hour, 12 * hour, 48 * hour];

/** Further attempts of an event, of which so many are waited for, one after the other; those that came. */
export async function nextAttempts(
  tenant: Tenant,
  inbox: Inbox,
  eventId: string,
  most: number,
): Promise<readonly Delivery[]> {
  const made: Delivery[] = [];
  while (made.length < most) {
    const next = await nextAttempt(tenant, inbox, eventId);
    if (next === null) break;
    made.push(next);
  }
  return made;
}

/**
 * Moves a manual clock until the event is tried again, by little at first, and gives that attempt. Null when none came:
 * when a delivery is tried again is open, and whether.
 */
export async function nextAttempt(tenant: Tenant, inbox: Inbox, eventId: string): Promise<Delivery | null> {
  const attempts = (): readonly Delivery[] => inbox.deliveries().filter((one) => eventIdOf(one) === eventId);
  const before = attempts().length;
  for (const step of steps) {
    await tenant.advance(step, "the next attempt of a delivery");
    const next = attempts()[before];
    if (next !== undefined) return next;
  }
  return null;
}
