import type { EventType } from "../../../generated/events.ts";
import type { WebhookEndpoint } from "../endpoints/webhook-endpoint.ts";
import type { Event } from "../events/event.ts";

/** One event on its way to one endpoint. */
export interface Delivery {
  readonly id: string;
  readonly event: Event;
  /** As it is now, not as it was when the event happened: its secret and its address may have changed since. */
  readonly endpoint: WebhookEndpoint;
  /** How many were made so far. */
  readonly attempts: number;
  /** When the next one is due, in the organization's time: milliseconds since 1970. */
  readonly dueAt: number;
}

/** What an attempt came to: `retry` is followed by another, the others are the last. */
export type Outcome = "success" | "retry" | "dead";

/** The record of one attempt. It is written once and never changes. */
export interface DeliveryAttempt {
  readonly id: string;
  readonly organizationId: string;
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly eventType: EventType;
  /** Where the request went. */
  readonly url: string;
  /** Counts from 1. */
  readonly attempt: number;
  readonly outcome: Outcome;
  /** Null when nobody answered. */
  readonly responseStatus: number | null;
  /** Until the answer was read, or until it was clear that none would come. */
  readonly responseTimeMs: number;
  /** Lower-case hexadecimal. */
  readonly requestBodySha256: string;
  readonly requestBodyBytes: number;
  /** May hold any character, U+0000 too. */
  readonly responseBodyExcerpt: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** Why nobody answered; null when somebody did, with whatever status. */
  readonly error: string | null;
  /** When it began, in the organization's time: milliseconds since 1970. */
  readonly occurredAt: number;
}
