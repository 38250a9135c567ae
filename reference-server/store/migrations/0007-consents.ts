import type { Kysely } from "kysely";

/** What recipients last said of getting an organization's messages. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("consents")
    .addColumn("organization_id", "varchar(36)", (column) =>
      column.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("phone_number", "varchar(16)", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("source", "text", (column) => column.notNull())
    .addColumn("captured_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("consents_by_number", ["organization_id", "phone_number"])
    .execute();
}
