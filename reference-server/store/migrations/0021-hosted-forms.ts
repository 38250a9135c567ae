import type { Kysely } from "kysely";

/** Pages on which recipients can consent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("hosted_forms")
    .addColumn("id", "varchar(36)", (column) => column.primaryKey())
    .addColumn("organization_id", "varchar(36)", (column) =>
      column.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("phone_number", "varchar(16)", (column) => column.notNull())
    .addColumn("source", "text", (column) => column.notNull())
    .addColumn("sender_name", "text", (column) => column.notNull())
    .addColumn("token_hash", "varchar(64)", (column) => column.notNull().unique())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .addColumn("submitted_at", "bigint")
    .execute();
  await db.schema.createIndex("hosted_forms_by_organization").on("hosted_forms").column("organization_id").execute();
}
