import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** When organizations do not disturb their recipients. */
export const quietHoursMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable("organizations").addColumn("quiet_hours", "text").execute();
  },
};
