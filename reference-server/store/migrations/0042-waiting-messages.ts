import { type Kysely, sql } from "kysely";

/** Messages that nobody has claimed, by their recipients: all to one of them are found at once, and no others cost anything. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex("messages_by_recipient")
    .on("messages")
    .columns(["organization_id", "recipient"])
    .where(sql`status`, "in", sql`('scheduled', 'queued')`)
    .execute();
}
