import { isLineType, type LineType } from "../../domain/lookups/line-type.ts";
import { type Connection, type Given, statement } from "../engine/statement.ts";
import type { LineRow } from "../tables.ts";
import type { Lines } from "../unit-of-work.ts";

const selectLine = statement((db, given: Given<{ readonly organizationId: string; readonly phoneNumber: string }>) =>
  db
    .selectFrom("lines")
    .select("line_type")
    .where("organization_id", "=", given("organizationId"))
    .where("phone_number", "=", given("phoneNumber")),
);

const putLine = statement((db, given: Given<LineRow>) => {
  const known = { line_type: given("line_type") };
  return db
    .insertInto("lines")
    .values({ organization_id: given("organization_id"), phone_number: given("phone_number"), ...known })
    .onConflict((conflict) => conflict.columns(["organization_id", "phone_number"]).doUpdateSet(known));
});

export const linesOf = (on: Connection, organizationId: string): Lines => ({
  async put(phoneNumber, lineType) {
    await putLine.run(on, { organization_id: organizationId, phone_number: phoneNumber, line_type: lineType });
  },
});

/** Null where nobody has set what lookups of the number find. */
export async function findLineType(
  on: Connection,
  organizationId: string,
  phoneNumber: string,
): Promise<LineType | null> {
  const row = await selectLine.first(on, { organizationId, phoneNumber });
  if (!row) return null;
  if (!isLineType(row.line_type)) throw new Error(`The database holds a line of unknown type ${row.line_type}.`);
  return row.line_type;
}
