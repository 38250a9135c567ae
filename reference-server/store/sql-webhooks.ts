import type { Kysely } from "kysely";
import type { RowLocks } from "./row-locks.ts";
import { findAttempts } from "./sql-attempts.ts";
import { endpointExists } from "./sql-endpoints.ts";
import { prune, pruneOrganization } from "./sql-retention.ts";
import { cursorKey } from "./sql-signing-secrets.ts";
import type { Tables } from "./tables.ts";
import type { WebhookStore } from "./webhook-store.ts";

export const sqlWebhooks = (db: Kysely<Tables>, locks: RowLocks): WebhookStore => ({
  endpointExists: (organizationId, id) => endpointExists(db, organizationId, id),
  cursorKey: (first) => cursorKey(db, first),
  attempts: (organizationId, filters, page) => findAttempts(db, organizationId, filters, page),
  prune: (retention, most) => prune(db, locks, retention, most),
  pruneOrganization: (organizationId, retention) => pruneOrganization(db, locks, organizationId, retention),
});
