import type { Kysely } from "kysely";

/** Lookups, the answers that retries get again, and outages of lookups. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("lookups")
    .addColumn("id", "varchar(36)", (column) => column.primaryKey())
    .addColumn("organization_id", "varchar(36)", (column) =>
      column.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("phone_number", "varchar(16)", (column) => column.notNull())
    .addColumn("line_type", "text", (column) => column.notNull())
    .addColumn("looked_up_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("lookups_by_organization").on("lookups").column("organization_id").execute();
  await db.schema
    .createTable("kept_answers")
    .addColumn("organization_id", "varchar(36)", (column) =>
      column.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("operation", "text", (column) => column.notNull())
    .addColumn("key", "text", (column) => column.notNull())
    .addColumn("fingerprint", "varchar(64)", (column) => column.notNull())
    .addColumn("answer", "text", (column) => column.notNull())
    .addColumn("kept_until", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("kept_answers_by_key", ["organization_id", "operation", "key"])
    .execute();
  await db.schema
    .createIndex("kept_answers_by_end")
    .on("kept_answers")
    .columns(["organization_id", "kept_until"])
    .execute();
  await db.schema
    .alterTable("organizations")
    .addColumn("lookup_outage_calls", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
}
