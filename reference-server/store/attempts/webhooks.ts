import { endpointExists } from "../endpoints/endpoints.ts";
import type { Connection } from "../engine/statement.ts";
import { findAttempts } from "./find-attempts.ts";
import type { WebhookStore } from "./webhook-store.ts";

export const webhooksIn = (on: Connection): WebhookStore => ({
  endpointExists: (organizationId, id) => endpointExists(on, organizationId, id),
  attempts: (organizationId, filters, page) => findAttempts(on, organizationId, filters, page),
});
