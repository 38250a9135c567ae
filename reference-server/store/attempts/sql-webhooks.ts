import type { Kysely } from "kysely";
import { endpointExists } from "../endpoints/endpoints.ts";
import type { RowLocks } from "../engine/row-locks.ts";
import { cursorKey } from "../secrets/signing-secrets.ts";
import type { Tables } from "../tables.ts";
import { findAttempts } from "./find-attempts.ts";
import { prune, pruneOrganization } from "./retention.ts";
import type { WebhookStore } from "./webhook-store.ts";

export const sqlWebhooks = (db: Kysely<Tables>, locks: RowLocks): WebhookStore => ({
  endpointExists: (organizationId, id) => endpointExists(db, organizationId, id),
  cursorKey: (first) => cursorKey(db, first),
  attempts: (organizationId, filters, page) => findAttempts(db, organizationId, filters, page),
  prune: (retention, most) => prune(db, locks, retention, most),
  pruneOrganization: (organizationId, retention) => pruneOrganization(db, locks, organizationId, retention),
});
