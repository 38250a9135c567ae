import type { Kysely } from "kysely";

/** Phone numbers that organizations hold, and what they are to find where a sandbox has set it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("phone_numbers")
    .addColumn("id", "varchar(36)", (column) => column.primaryKey())
    .addColumn("organization_id", "varchar(36)", (column) =>
      column.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("phone_number", "varchar(16)", (column) => column.notNull().unique())
    .addColumn("status", "text", (column) => column.notNull())
    .addColumn("label", "text", (column) => column.notNull())
    .addColumn("inbound_url", "text", (column) => column.notNull())
    .addColumn("status_url", "text", (column) => column.notNull())
    .addColumn("campaign_id", "varchar(36)")
    .addColumn("ordered_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("phone_numbers_by_organization").on("phone_numbers").column("organization_id").execute();
  await db.schema
    .createTable("number_stocks")
    .addColumn("organization_id", "varchar(36)", (column) =>
      column.primaryKey().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("phone_numbers", "text", (column) => column.notNull())
    .execute();
}
