import type { Kysely } from "kysely";

/** What users say of themselves. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("profiles")
    .addColumn("organization_id", "varchar(36)", (column) =>
      column.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("id", "varchar(36)", (column) => column.notNull())
    .addColumn("name", "text")
    .addColumn("timezone", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("profiles_of_organization", ["organization_id", "id"])
    .execute();
}
