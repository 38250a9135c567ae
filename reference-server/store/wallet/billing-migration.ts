import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** The least top-up of organizations' plans, how their wallets top themselves up, and outages of the billing portal. */
export const billingMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable("organizations").addColumn("min_topup_cents", "bigint").execute();
    await db.schema.alterTable("organizations").addColumn("auto_top_up", "text").execute();
    await db.schema
      .alterTable("organizations")
      .addColumn("portal_outage_calls", "integer", (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
