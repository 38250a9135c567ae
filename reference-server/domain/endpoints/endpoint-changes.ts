import type { EventType } from "../../../generated/events.ts";
import { mostEndpoints, tooManyEndpoints } from "./new-endpoint.ts";
import type { WebhookEndpoint } from "./webhook-endpoint.ts";

/** What changes about an endpoint; what is left out stays. */
export interface EndpointChanges {
  readonly active?: boolean | undefined;
  readonly events?: readonly EventType[] | undefined;
}

/** Why an organization with so many active endpoints gets no further one; null when it does. */
export const refuseFurther = (active: number) => (active >= mostEndpoints ? tooManyEndpoints() : null);

/** From then on nothing is sent to it. */
export const deletedEndpoint = (endpoint: WebhookEndpoint, at: number): WebhookEndpoint => ({
  ...endpoint,
  active: false,
  updatedAt: at,
  deletedAt: at,
});

/** From then on deliveries are signed with this secret alone. */
export const rotatedEndpoint = (endpoint: WebhookEndpoint, secret: string, at: number): WebhookEndpoint => ({
  ...endpoint,
  secret,
  updatedAt: at,
});

export const changedEndpoint = (
  endpoint: WebhookEndpoint,
  { active = endpoint.active, events = endpoint.events }: EndpointChanges,
  at: number,
): WebhookEndpoint => ({ ...endpoint, active, events, updatedAt: at });
