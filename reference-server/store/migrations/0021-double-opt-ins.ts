import { type Kysely, sql } from "kysely";

/** Recipients who were asked whether they consent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("double_opt_ins")
    .addColumn("id", "varchar(36)", (column) => column.primaryKey())
    .addColumn("organization_id", "varchar(36)", (column) =>
      column.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("phone_number", "varchar(16)", (column) => column.notNull())
    .addColumn("source", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex("double_opt_ins_by_number")
    .on("double_opt_ins")
    .columns(["organization_id", "phone_number"])
    .execute();
  await db.schema
    .createIndex("pending_double_opt_ins")
    .on("double_opt_ins")
    .columns(["organization_id", "phone_number"])
    .where(sql<boolean>`state = 'pending'`)
    .unique()
    .execute();
}
