import { type Kysely, sql } from "kysely";

/** Messages, the work of sending them, and which lookup of a number is the latest. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("messages")
    .addColumn("id", "varchar(36)", (column) => column.primaryKey())
    .addColumn("organization_id", "varchar(36)", (column) =>
      column.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("recipient", "varchar(16)", (column) => column.notNull())
    .addColumn("body", "text", (column) => column.notNull())
    .addColumn("status", "text", (column) => column.notNull())
    .addColumn("scheduled_at", "bigint")
    .addColumn("cost", "bigint", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex("messages_by_organization")
    .on("messages")
    .columns(["organization_id", "status"])
    .execute();
  await db.schema
    .alterTable("jobs")
    .addColumn("message_id", "varchar(36)", (column) => column.references("messages.id").onDelete("cascade"))
    .execute();
  await db.schema
    .createIndex("jobs_by_message")
    .on("jobs")
    .column("message_id")
    .where("message_id", "is not", null)
    .execute();
  await db.schema
    .alterTable("lookups")
    .addColumn("position", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
  await sql`update lookups set position = counted.position
    from (
      select id, row_number() over (partition by organization_id, phone_number order by looked_up_at, id) as position
      from lookups) as counted
    where counted.id = lookups.id`.execute(db);
  await db.schema
    .createIndex("lookups_by_number")
    .on("lookups")
    .columns(["organization_id", "phone_number", "position"])
    .execute();
}
