import type { Kysely } from "kysely";

/** Whose session it is: null for one from before, which is that of a user of its own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("sessions").addColumn("user_id", "varchar(36)").execute();
}
