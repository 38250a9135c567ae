import { type Kysely, sql } from "kysely";
import { engineOf } from "../engine/engine-of.ts";

/**
 * Messages in the order of their list, and how many each organization has. The database keeps that number itself, so that
 * nobody can add or delete a message without it, be it an older server.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const engine = engineOf(db);
  await db.schema
    .createIndex("messages_by_time")
    .on("messages")
    .columns(["organization_id", "created_at", "id"])
    .execute();
  await db.schema
    .createTable("message_counts")
    .addColumn("organization_id", "varchar(36)", (column) =>
      column.primaryKey().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("messages", "bigint", (column) => column.notNull())
    .execute();
  // The triggers come first: what an older server that still runs adds is counted by them or below, and once.
  for (const statement of triggers[engine]) await sql.raw(statement).execute(db);
  await sql`insert into message_counts (organization_id, messages)
    select organization_id, count(*) from messages group by organization_id`.execute(db);
}

const adding = `insert into message_counts (organization_id, messages) values (new.organization_id, 1)
  on conflict (organization_id) do update set messages = message_counts.messages + 1`;

/** Inserts nothing: the number of an organization that is deleted may go before its messages do. */
const removing = "update message_counts set messages = messages - 1 where organization_id = old.organization_id";

const triggers = {
  sqlite: [
    `create trigger messages_added after insert on messages begin ${adding}; end`,
    `create trigger messages_removed after delete on messages begin ${removing}; end`,
  ],
  postgresql: [
    `create function count_added_message() returns trigger language plpgsql as $$ begin ${adding}; return null; end $$`,
    "create trigger messages_added after insert on messages for each row execute function count_added_message()",
    `create function count_removed_message() returns trigger language plpgsql as $$
      begin ${removing}; return null; end $$`,
    "create trigger messages_removed after delete on messages for each row execute function count_removed_message()",
  ],
} as const;
