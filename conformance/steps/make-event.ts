import type { EventType } from "../../generated/events.ts";
import { emittedEvent } from "../arrangements/emitted-event.ts";
import type { CheckContext } from "../context/context.ts";
import { dataOf, type Exchange, objectOf } from "../exchange/exchange.ts";
import type { Endpoint } from "./endpoint.ts";

/** An event that was made to happen. */
export interface HappenedEvent {
  /** Null when the server chose it and did not say. */
  readonly type: string | null;
  /** Null when nobody said. */
  readonly id: string | null;
  /** The call of the API that made it; null when something else did. */
  readonly exchange: Exchange | null;
}

/**
 * Makes an event happen that this endpoint hears of. One of a certain `type` wants a sandbox or a hook, and blocks
 * without; any will do for the operation that tests an endpoint.
 */
export async function makeEvent(
  t: CheckContext,
  endpoint: Endpoint,
  type: EventType | null = null,
  data: Readonly<Record<string, unknown>> = {},
): Promise<HappenedEvent> {
  const { tenant } = endpoint.owner;
  const [subscribed] = endpoint.events;
  const chosen = type ?? (tenant.can(emittedEvent) ? subscribed : undefined);
  if (chosen === undefined) return testEndpoint(t, endpoint);
  return { ...(await tenant.arrange(emittedEvent, { type: chosen, data })), exchange: null };
}

/** Makes an event happen through the API alone. Blocks when that is refused. */
export async function testEndpoint(t: CheckContext, { id, owner }: Endpoint): Promise<HappenedEvent> {
  const called = await t.call("testWebhookEndpoint", { path: { id } }, owner);
  const exchange = t.control(called, "testing an endpoint");
  const { event_id, event_type } = objectOf(t.shapeResponse("testWebhookEndpoint", dataOf(exchange))) ?? {};
  const text = (value: unknown): string | null => (typeof value === "string" ? value : null);
  return { type: text(event_type), id: text(event_id), exchange };
}
