import { isLineType } from "../../domain/lookups/line-type.ts";
import type { Lookup } from "../../domain/lookups/lookup.ts";
import { columns } from "../columns.ts";
import { type Connection, type Given, insertion, statement } from "../engine/statement.ts";
import type { LookupRow } from "../tables.ts";
import type { Lookups } from "../unit-of-work.ts";

const insertLookups = insertion("lookups", columns.lookups);

const selectLookup = statement((db, given: Given<{ readonly id: string; readonly organizationId: string }>) =>
  db
    .selectFrom("lookups")
    .select(columns.lookups)
    .where("id", "=", given("id"))
    .where("organization_id", "=", given("organizationId")),
);

export const lookupsOf = (on: Connection): Lookups => ({
  async insert(lookup) {
    await insertLookups.run(on, { rows: [rowOfLookup(lookup)] });
  },
});

/** Null for an unknown lookup and for another organization's. */
export async function findLookup(on: Connection, organizationId: string, id: string): Promise<Lookup | null> {
  const row = await selectLookup.first(on, { id, organizationId });
  return row ? lookupOf(row) : null;
}

const rowOfLookup = ({ id, organizationId, phoneNumber, lineType, lookedUpAt }: Lookup): LookupRow => ({
  id,
  organization_id: organizationId,
  phone_number: phoneNumber,
  line_type: lineType,
  looked_up_at: lookedUpAt,
});

function lookupOf(row: LookupRow): Lookup {
  const { id, organization_id: organizationId, phone_number: phoneNumber, line_type: lineType } = row;
  if (!isLineType(lineType)) throw new Error(`The database holds a lookup of unknown type ${lineType}.`);
  return { id, organizationId, phoneNumber, lineType, lookedUpAt: row.looked_up_at };
}
