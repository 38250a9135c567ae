import type { Kysely } from "kysely";

/** Legal documents that users accepted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("legal_acceptances")
    .addColumn("id", "varchar(36)", (column) => column.primaryKey())
    .addColumn("organization_id", "varchar(36)", (column) =>
      column.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("user_id", "varchar(36)", (column) => column.notNull())
    .addColumn("document", "text", (column) => column.notNull())
    .addColumn("version", "text", (column) => column.notNull())
    .addColumn("accepted_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex("legal_acceptances_by_organization")
    .on("legal_acceptances")
    .column("organization_id")
    .execute();
}
