import type { Kysely } from "kysely";
import { endpointExists } from "../endpoints/endpoints.ts";
import type { Tables } from "../tables.ts";
import { findAttempts } from "./find-attempts.ts";
import type { WebhookStore } from "./webhook-store.ts";

export const webhooksIn = (db: Kysely<Tables>): WebhookStore => ({
  endpointExists: (organizationId, id) => endpointExists(db, organizationId, id),
  attempts: (organizationId, filters, page) => findAttempts(db, organizationId, filters, page),
});
