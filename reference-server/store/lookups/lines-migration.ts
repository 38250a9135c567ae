import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** What lookups of numbers are to find, where a sandbox has set it. */
export const linesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable("lines")
      .addColumn("organization_id", "varchar(36)", (column) =>
        column.notNull().references("organizations.id").onDelete("cascade"),
      )
      .addColumn("phone_number", "varchar(16)", (column) => column.notNull())
      .addColumn("line_type", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("lines_by_number", ["organization_id", "phone_number"])
      .execute();
  },
};
