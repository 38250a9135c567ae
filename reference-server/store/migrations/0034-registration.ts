import type { Kysely } from "kysely";

/** Brands and campaigns, and which organizations register them on behalf of others. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("organizations")
    .addColumn("is_reseller", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createTable("brands")
    .addColumn("id", "varchar(36)", (column) => column.primaryKey())
    .addColumn("organization_id", "varchar(36)", (column) =>
      column.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("identity_status", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("brands_by_organization").on("brands").column("organization_id").execute();
  await db.schema
    .createTable("campaigns")
    .addColumn("id", "varchar(36)", (column) => column.primaryKey())
    .addColumn("organization_id", "varchar(36)", (column) =>
      column.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("brand_id", "varchar(36)", (column) => column.notNull().references("brands.id").onDelete("cascade"))
    .addColumn("description", "text", (column) => column.notNull())
    .addColumn("status", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("campaigns_by_organization").on("campaigns").column("organization_id").execute();
  await db.schema.createIndex("campaigns_by_brand").on("campaigns").column("brand_id").execute();
}
