import type { Kysely } from "kysely";

/** What lookups of numbers are to find, where a sandbox has set it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("lines")
    .addColumn("organization_id", "varchar(36)", (column) =>
      column.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("phone_number", "varchar(16)", (column) => column.notNull())
    .addColumn("line_type", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("lines_by_number", ["organization_id", "phone_number"])
    .execute();
}
