import { refuse } from "../../../generated/error-rows.ts";
import type { WebhookEndpoint } from "../endpoints/webhook-endpoint.ts";
import type { Event } from "../events/event.ts";
import type { DeliveryAttempt } from "./delivery.ts";

/** The audit record of a replay. */
export interface Replay {
  readonly id: string;
  readonly attemptId: string;
  /** The new one. */
  readonly eventId: string;
  readonly reason: string | null;
  /** The key or session that asked for it. */
  readonly requestedBy: string;
  /** Milliseconds since 1970. */
  readonly requestedAt: number;
}

/** What is there of a delivery; null for what is unknown, foreign, deleted or no longer kept. */
export interface FoundDelivery {
  readonly attempt: DeliveryAttempt | null;
  readonly endpoint: WebhookEndpoint | null;
  readonly event: Event | null;
}

/**
 * What is to be sent again, or why nothing is. What is expired stays so, hence it counts before an endpoint that is not
 * active, which can change.
 */
export function replayable({ attempt, endpoint, event }: FoundDelivery, retainedSince: number) {
  if (attempt === null || endpoint === null) return deliveryNotFound();
  if (event === null || event.createdAt < retainedSince) return eventExpired();
  if (!endpoint.active) return receiverInactive();
  return { attempt, event };
}

/** A new event of equal type and data. */
export const eventAgain = (event: Event, id: string, createdAt: number): Event => ({ ...event, id, createdAt });

/** One answer for an unknown delivery, another organization's, and one whose endpoint is deleted. */
const deliveryNotFound = () => refuse.NotFound("There is no such delivery.");

const eventExpired = () =>
  refuse.EventExpired("The event of the delivery is no longer kept, so it cannot be sent again.");

const receiverInactive = () => refuse.Conflict("The endpoint of the delivery is not active.");
