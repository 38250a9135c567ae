import { documentedKeyOperations } from "./api-keys.ts";
import { documentedDeliveryOperations } from "./deliveries.ts";
import type { DocumentedOperation } from "./documented-operation.ts";
import { documentedLookupOperations } from "./lookups.ts";
import { documentedWebhookOperations } from "./webhooks.ts";

/** Operations of the document that are compared one by one, under the beginnings that their paths share. */
export const documentedOperations: readonly DocumentedOperation[] = [
  ...documentedKeyOperations,
  ...documentedWebhookOperations,
  ...documentedDeliveryOperations,
  ...documentedLookupOperations,
];

export const documentedPathStarts: readonly string[] = [
  "/v1/api-keys",
  "/v1/webhooks",
  "/v1/webhook-secret",
  "/v1/lookup",
];
