import type { Kysely } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { attemptCountsMigration } from "./attempts/attempt-counts-migration.ts";
import { consentIndexesMigration } from "./consent/consent-indexes-migration.ts";
import { consentsMigration } from "./consent/consents-migration.ts";
import { doubleOptInsMigration } from "./consent/double-opt-ins-migration.ts";
import { hostedFormsMigration } from "./consent/hosted-forms-migration.ts";
import { webhooksMigration } from "./endpoints/webhooks-migration.ts";
import type { Engine } from "./engine/engine.ts";
import { legalAcceptancesMigration } from "./legal-acceptances/legal-acceptances-migration.ts";
import { linesMigration } from "./lookups/lines-migration.ts";
import { lookupsMigration } from "./lookups/lookups-migration.ts";
import { messageListMigration } from "./messages/message-list-migration.ts";
import { messagesMigration } from "./messages/messages-migration.ts";
import { waitingMessagesMigration } from "./messages/waiting-messages-migration.ts";
import { metricSumsMigration } from "./metrics/metric-sums-migration.ts";
import { notificationsMigration } from "./notifications/notifications-migration.ts";
import { quietHoursMigration } from "./organizations/quiet-hours-migration.ts";
import { phoneNumbersMigration } from "./phone-numbers/phone-numbers-migration.ts";
import { profilesMigration } from "./profiles/profiles-migration.ts";
import { registrationMigration } from "./registration/registration-migration.ts";
import type { Tables } from "./tables.ts";
import { usersMigration } from "./users-migration.ts";
import { billingMigration } from "./wallet/billing-migration.ts";
import { ledgerMigration } from "./wallet/ledger-migration.ts";
import { dueWorkMigration } from "./work/due-work-migration.ts";

/**
 * Migrations run in the order of their names; one that was released never changes. One that comes in between those that
 * have run already, since it was written beside them, runs after them: none may stand on another of the same time.
 */
export const migrations = (engine: Engine["name"]): Readonly<Record<string, Migration>> => ({
  "0001-organizations-and-keys": {
    async up(db) {
      await db.schema
        .createTable("organizations")
        .addColumn("id", "varchar(36)", (column) => column.primaryKey())
        .addColumn("plan", "text", (column) => column.notNull())
        .addColumn("kind", "text", (column) => column.notNull())
        .addColumn("lifetime_spend_cents", "bigint", (column) => column.notNull())
        .addColumn("wallet_cents", "bigint", (column) => column.notNull())
        .addColumn("manual_clock", "bigint")
        .addColumn("limit_sizes", "text", (column) => column.notNull())
        .addColumn("outage_calls", "integer", (column) => column.notNull())
        .execute();
      await db.schema
        .createTable("api_keys")
        .addColumn("id", "varchar(36)", (column) => column.primaryKey())
        .addColumn("organization_id", "varchar(36)", (column) =>
          column.notNull().references("organizations.id").onDelete("cascade"),
        )
        .addColumn("label", "text", (column) => column.notNull())
        .addColumn("prefix", "text", (column) => column.notNull())
        .addColumn("secret_hash", "varchar(64)", (column) => column.notNull().unique())
        .addColumn("scopes", "text", (column) => column.notNull())
        .addColumn("created_at", "bigint", (column) => column.notNull())
        .addColumn("last_used_at", "bigint")
        .addColumn("revoked_at", "bigint")
        .execute();
      await db.schema.createIndex("api_keys_by_organization").on("api_keys").column("organization_id").execute();
      await db.schema
        .createTable("sessions")
        .addColumn("id", "varchar(36)", (column) => column.primaryKey())
        .addColumn("organization_id", "varchar(36)", (column) =>
          column.notNull().references("organizations.id").onDelete("cascade"),
        )
        .addColumn("token_hash", "varchar(64)", (column) => column.notNull().unique())
        .addColumn("staff", "integer", (column) => column.notNull())
        .addColumn("created_at", "bigint", (column) => column.notNull())
        .execute();
      await db.schema.createIndex("sessions_by_organization").on("sessions").column("organization_id").execute();
      await db.schema
        .createTable("limits")
        .addColumn("organization_id", "varchar(36)", (column) =>
          column.notNull().references("organizations.id").onDelete("cascade"),
        )
        .addColumn("name", "text", (column) => column.notNull())
        .addColumn("mark", "bigint", (column) => column.notNull())
        .addColumn("used", "bigint", (column) => column.notNull())
        .addColumn("earlier", "bigint", (column) => column.notNull())
        .addPrimaryKeyConstraint("limits_of_organization", ["organization_id", "name"])
        .execute();
    },
  },
  "0002-webhooks": webhooksMigration,
  "0003-due-work": dueWorkMigration,
  "0004-ledger": ledgerMigration,
  "0005-attempt-counts": attemptCountsMigration(engine),
  "0006-lookups": lookupsMigration,
  "0007-consents": consentsMigration,
  "0008-messages": messagesMigration,
  "0009-quiet-hours": quietHoursMigration,
  "0021-double-opt-ins": doubleOptInsMigration,
  "0021-hosted-forms": hostedFormsMigration,
  "0022-message-list": messageListMigration(engine),
  "0024-consent-indexes": consentIndexesMigration,
  "0024-lines": linesMigration,
  "0030-phone-numbers": phoneNumbersMigration,
  "0034-registration": registrationMigration,
  "0038-billing": billingMigration,
  "0039-profiles": profilesMigration,
  "0042-waiting-messages": waitingMessagesMigration,
  "0049-notifications": notificationsMigration,
  "0050-legal-acceptances": legalAcceptancesMigration,
  "0051-users": usersMigration,
  "0052-metric-sums": metricSumsMigration(engine),
});

/** Brings the tables up to date, or to what they were after the migration of that name; throws what stopped it. */
export async function migrate(db: Kysely<Tables>, engine: Engine["name"], last?: string): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...migrations(engine) }) },
    allowUnorderedMigrations: true,
  });
  const { error } = await (last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last));
  if (error !== undefined) throw error;
}
