import { type Kysely, sql } from "kysely";

/** Money as a ledger, in place of a balance that was written over. What there was becomes its first entries. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("ledger_entries")
    .addColumn("organization_id", "varchar(36)", (column) =>
      column.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("position", "integer", (column) => column.notNull())
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("amount", "bigint", (column) => column.notNull().check(sql`amount > 0`))
    .addColumn("reference", "text", (column) => column.notNull())
    .addColumn("at", "bigint", (column) => column.notNull())
    .addColumn("balance", "bigint", (column) => column.notNull().check(sql`balance >= 0`))
    .addColumn("spend", "bigint", (column) => column.notNull().check(sql`spend >= 0`))
    .addPrimaryKeyConstraint("ledger_entries_in_order", ["organization_id", "position"])
    .addUniqueConstraint("ledger_entries_by_reference", ["organization_id", "kind", "reference"])
    .execute();
  const held = sql`wallet_cents * 10000`;
  const spent = sql`lifetime_spend_cents * 10000`;
  await sql`insert into ledger_entries (organization_id, position, kind, amount, reference, at, balance, spend)
    select id, 1, 'credit', ${held} + ${spent}, 'opening', 0, ${held} + ${spent}, 0
    from organizations where wallet_cents + lifetime_spend_cents > 0`.execute(db);
  await sql`insert into ledger_entries (organization_id, position, kind, amount, reference, at, balance, spend)
    select id, 2, 'charge', ${spent}, 'opening', 0, ${held}, ${spent}
    from organizations where lifetime_spend_cents > 0`.execute(db);
  await db.schema.alterTable("organizations").dropColumn("wallet_cents").execute();
  await db.schema.alterTable("organizations").dropColumn("lifetime_spend_cents").execute();
}
