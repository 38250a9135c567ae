import { constants } from "../../generated/constants.ts";
import type { EventType } from "../../generated/events.ts";
import type { CheckContext } from "../context/context.ts";
import { type Delivery, headerValues } from "../exchange/delivery.ts";
import { Blocked } from "../outcome/verdict.ts";
import type { Arrival, Inbox } from "../receiver/inbox.ts";
import type { Endpoint } from "./endpoint.ts";
import { makeEvent } from "./make-event.ts";
import { isSameId, settle } from "./settle.ts";

/** The id that a delivery tells; its place in the run where it tells none, so that no two look like one event. */
export const eventIdOf = (delivery: Delivery): string =>
  headerValues(delivery, constants.eventIdHeader)[0] ?? `delivery ${delivery.number}`;

/** A filter for deliveries of events that have not come yet; a server may send one more than once. */
export function newcomersTo(inbox: Inbox): (delivery: Delivery) => boolean {
  const known = new Set(inbox.deliveries().map(eventIdOf));
  return (delivery) => !known.has(eventIdOf(delivery));
}

/** Milliseconds that are waited for the event itself once another one came before it. */
const overtaken = 1_000;

/**
 * Makes an event happen and waits until it reaches the inbox of its endpoint; blocks when it does not. Where the kit was
 * told its id, what a server sends a new endpoint by itself is not taken for it.
 */
export async function deliverOne(
  t: CheckContext,
  endpoint: Endpoint,
  inbox: Inbox,
  type: EventType | null = null,
  data: Readonly<Record<string, unknown>> = {},
): Promise<Delivery> {
  const where = newcomersTo(inbox);
  const { id } = await makeEvent(t, endpoint, type, data);
  await settle(endpoint.owner.tenant);
  const first = await inbox.until(1, { where });
  const isIt = (delivery: Delivery): boolean => isSameId(eventIdOf(delivery), id);
  if (id === null || !first.ok || first.deliveries.some(isIt)) return arrived(id === null ? first : only(first, isIt));
  const own = await inbox.until(1, { where: isIt, within: overtaken });
  // Whether deliveries bear the ids that were told is for other rules to say.
  return arrived(own.ok ? own : first);
}

/**
 * Has an endpoint tested, and gives what that sent; null where nothing came, or where tests are not served: that one
 * arrives is for other rules to say.
 */
export async function deliverTest(t: CheckContext, { id, owner }: Endpoint, inbox: Inbox): Promise<Delivery | null> {
  if (!t.serves("testWebhookEndpoint")) return null;
  const where = newcomersTo(inbox);
  await t.call("testWebhookEndpoint", { path: { id } }, owner);
  await settle(owner.tenant);
  const arrival = await inbox.until(1, { where });
  return arrival.deliveries.at(-1) ?? null;
}

const only = (arrival: Arrival, isWanted: (delivery: Delivery) => boolean): Arrival =>
  arrival.ok ? { ok: true, deliveries: arrival.deliveries.filter(isWanted) } : arrival;

/** The last delivery that was waited for; blocks when it did not come. */
export function arrived(arrival: Arrival): Delivery {
  const last = arrival.deliveries.at(-1);
  if (arrival.ok && last !== undefined) return last;
  throw notArrived(arrival);
}

/** Why a delivery that a check builds on is not there. */
export function notArrived(arrival: Arrival): Blocked {
  const message = arrival.ok ? "no delivery arrived" : arrival.message;
  return arrival.ok || arrival.reached
    ? new Blocked(message, "see WHE-08 first, or give the target longer: poll_timeout in its file", "server")
    : new Blocked(
        message,
        "see whether the target can reach the receiver: --receiver-url is the address that it is told",
        "environment",
      );
}
