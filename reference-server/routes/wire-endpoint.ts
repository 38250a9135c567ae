import type { Choices } from "../../generated/choices.ts";
import type * as wire from "../../generated/models/shared.ts";
import { timestamp } from "../domain/clock.ts";
import type { WebhookEndpoint } from "../domain/endpoints/webhook-endpoint.ts";

/** An endpoint as its organization sees it: without its secret. */
export function wireEndpoint(
  endpoint: Omit<WebhookEndpoint, "secret">,
  precision: Choices["timestampPrecision"],
): wire.WebhookEndpoint {
  return {
    id: endpoint.id,
    org_id: endpoint.organizationId,
    url: endpoint.url,
    events: endpoint.events,
    active: endpoint.active,
    api_version: endpoint.apiVersion,
    created_at: timestamp(endpoint.createdAt, precision),
    updated_at: timestamp(endpoint.updatedAt, precision),
    deleted_at: endpoint.deletedAt === null ? null : timestamp(endpoint.deletedAt, precision),
  };
}
