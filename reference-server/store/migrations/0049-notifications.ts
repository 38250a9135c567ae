import type { Kysely } from "kysely";

/** What users are told of. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("notification_settings")
    .addColumn("organization_id", "varchar(36)", (column) =>
      column.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("id", "varchar(36)", (column) => column.notNull())
    .addColumn("settings", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("notification_settings_of_organization", ["organization_id", "id"])
    .execute();
}
