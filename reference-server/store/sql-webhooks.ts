import type { Kysely } from "kysely";
import type { RowLocks } from "./row-locks.ts";
import { attemptPage, countAttempts } from "./sql-attempts.ts";
import { endpointStore } from "./sql-endpoints.ts";
import type { SqlOutbox } from "./sql-outbox.ts";
import { replayStore } from "./sql-replay.ts";
import { prune, pruneOrganization } from "./sql-retention.ts";
import { signingSecretStore } from "./sql-signing-secrets.ts";
import type { Tables } from "./tables.ts";
import type { WebhookStore } from "./webhook-store.ts";

export const sqlWebhooks = (db: Kysely<Tables>, locks: RowLocks, outbox: SqlOutbox): WebhookStore => ({
  ...endpointStore(db, locks, outbox),
  ...signingSecretStore(db, locks),
  ...replayStore(db, locks, outbox),
  emit: (event, to) => outbox.emit(event, to),
  attempts: (organizationId, filters, page) => attemptPage(db, organizationId, filters, page),
  countAttempts: (organizationId, filters) => countAttempts(db, organizationId, filters),
  prune: (retention, most) => prune(db, locks, retention, most),
  pruneOrganization: (organizationId, retention) => pruneOrganization(db, locks, organizationId, retention),
});
