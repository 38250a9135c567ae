import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** Whose session it is: null for one from before, which is that of a user of its own. */
export const usersMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable("sessions").addColumn("user_id", "varchar(36)").execute();
  },
};
