import type { Kysely } from "kysely";

/** Whom the server serves, who may call it, and what is left of their limits. */
export async function up(db: Kysely<unknown>): Promise<void> {
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
}
