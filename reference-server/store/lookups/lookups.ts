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

const selectLatest = statement((db, given: Given<{ readonly phoneNumber: string; readonly organizationId: string }>) =>
  db
    .selectFrom("lookups")
    .select(columns.lookups)
    .where("organization_id", "=", given("organizationId"))
    .where("phone_number", "=", given("phoneNumber"))
    .orderBy("position", "desc")
    .limit(1),
);

/** Whoever calls holds the organization, so that its lookups are counted one after the other. */
export const lookupsOf = (on: Connection, organizationId: string): Lookups => ({
  async insert(lookup) {
    const { phoneNumber } = lookup;
    const latest = await selectLatest.first(on, { phoneNumber, organizationId });
    await insertLookups.run(on, { rows: [{ ...rowOfLookup(lookup), position: (latest?.position ?? 0) + 1 }] });
  },

  async latest(phoneNumber) {
    const row = await selectLatest.first(on, { phoneNumber, organizationId });
    return row ? lookupOf(row) : null;
  },
});

/** Null for an unknown lookup and for another organization's. */
export async function findLookup(on: Connection, organizationId: string, id: string): Promise<Lookup | null> {
  const row = await selectLookup.first(on, { id, organizationId });
  return row ? lookupOf(row) : null;
}

const rowOfLookup = ({
  id,
  organizationId,
  phoneNumber,
  lineType,
  lookedUpAt,
}: Lookup): Omit<LookupRow, "position"> => ({
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
