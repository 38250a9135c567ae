import type { Kysely } from "kysely";
import { isLineType } from "../../domain/lookups/line-type.ts";
import type { Lookup } from "../../domain/lookups/lookup.ts";
import type { LookupRow, Tables } from "../tables.ts";
import type { Lookups } from "../unit-of-work.ts";

export const lookupsOf = (db: Kysely<Tables>): Lookups => ({
  async insert({ id, organizationId, phoneNumber, lineType, lookedUpAt }) {
    const row = { phone_number: phoneNumber, line_type: lineType, looked_up_at: lookedUpAt };
    await db
      .insertInto("lookups")
      .values({ id, organization_id: organizationId, ...row })
      .execute();
  },
});

/** Null for an unknown lookup and for another organization's. */
export async function findLookup(db: Kysely<Tables>, organizationId: string, id: string): Promise<Lookup | null> {
  const row = await db
    .selectFrom("lookups")
    .selectAll()
    .where("id", "=", id)
    .where("organization_id", "=", organizationId)
    .executeTakeFirst();
  return row ? lookupOf(row) : null;
}

function lookupOf(row: LookupRow): Lookup {
  const { id, organization_id: organizationId, phone_number: phoneNumber, line_type: lineType } = row;
  if (!isLineType(lineType)) throw new Error(`The database holds a lookup of unknown type ${lineType}.`);
  return { id, organizationId, phoneNumber, lineType, lookedUpAt: row.looked_up_at };
}
