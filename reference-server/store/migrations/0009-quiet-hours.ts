import type { Kysely } from "kysely";

/** When organizations do not disturb their recipients. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("organizations").addColumn("quiet_hours", "text").execute();
}
