import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Messages that nobody has claimed, by their recipients: all to one of them are found at once, and no others cost anything. */
export const waitingMessagesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createIndex("messages_by_recipient")
      .on("messages")
      .columns(["organization_id", "recipient"])
      .where(sql`status`, "in", sql`('scheduled', 'queued')`)
      .execute();
  },
};
