import type { Kysely } from "kysely";

/** The least top-up of organizations' plans, how their wallets top themselves up, and outages of the billing portal. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("organizations").addColumn("min_topup_cents", "bigint").execute();
  await db.schema.alterTable("organizations").addColumn("auto_top_up", "text").execute();
  await db.schema
    .alterTable("organizations")
    .addColumn("portal_outage_calls", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
}
