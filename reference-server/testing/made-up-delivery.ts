import { randomUUID } from "node:crypto";
import { constants } from "../../generated/constants.ts";
import { eventType } from "../../generated/events.ts";
import type { Delivery } from "../domain/deliveries/delivery.ts";
import type { WebhookEndpoint } from "../domain/endpoints/webhook-endpoint.ts";
import type { Event } from "../domain/events/event.ts";

/** An endpoint for tests. */
export function madeUpEndpoint(given: Partial<WebhookEndpoint> = {}): WebhookEndpoint {
  return {
    id: randomUUID(),
    organizationId: "organization",
    url: "http://127.0.0.1:1/hook",
    events: [eventType.lookupCompleted],
    active: true,
    apiVersion: "2030-01-02",
    secret: Buffer.alloc(32, 7).toString("base64"),
    createdAt: 1,
    updatedAt: 1,
    deletedAt: null,
    ...given,
  };
}

/** A delivery for tests that has been due since 1970. */
export function madeUpDelivery(
  endpoint: WebhookEndpoint,
  given: Partial<Event> & { readonly dueAt?: number } = {},
): Delivery {
  const { dueAt = 0, ...event } = given;
  return {
    id: randomUUID(),
    endpoint,
    attempts: 0,
    dueAt,
    event: {
      id: `${constants.eventIdPrefix}${randomUUID()}`,
      organizationId: endpoint.organizationId,
      type: eventType.lookupCompleted,
      data: { line_type: constants.mobileLine, name: "Zoë" },
      createdAt: Date.UTC(2030, 0, 2, 3, 4, 5, 678),
      ...event,
    },
  };
}
