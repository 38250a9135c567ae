import type { Kysely } from "kysely";
import type { RowLocks } from "./row-locks.ts";
import type { Tables } from "./tables.ts";

/** From here on no other transaction that holds the organization comes in between. */
export async function holdOrganization(db: Kysely<Tables>, locks: RowLocks, id: string): Promise<void> {
  await locks.held(db.selectFrom("organizations").select("id").where("id", "=", id)).execute();
}
