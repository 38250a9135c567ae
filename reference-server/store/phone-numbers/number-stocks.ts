import { type Connection, type Given, statement } from "../engine/statement.ts";
import type { NumberStockRow } from "../tables.ts";

const selectStock = statement((db, given: Given<{ readonly organizationId: string }>) =>
  db.selectFrom("number_stocks").select("phone_numbers").where("organization_id", "=", given("organizationId")),
);

const putStock = statement((db, given: Given<NumberStockRow>) =>
  db
    .insertInto("number_stocks")
    .values({ organization_id: given("organization_id"), phone_numbers: given("phone_numbers") })
    .onConflict((conflict) =>
      conflict.column("organization_id").doUpdateSet({ phone_numbers: given("phone_numbers") }),
    ),
);

/** The numbers that an organization is to find; null where nobody has set them. */
export async function numberStockIn(on: Connection, organizationId: string): Promise<readonly string[] | null> {
  const row = await selectStock.first(on, { organizationId });
  if (row === undefined) return null;
  const list: unknown = JSON.parse(row.phone_numbers);
  if (Array.isArray(list) && list.every((one) => typeof one === "string")) return list;
  throw new Error("The database holds a stock that is no list of numbers.");
}

export async function putNumberStock(
  on: Connection,
  organizationId: string,
  phoneNumbers: readonly string[],
): Promise<void> {
  await putStock.run(on, { organization_id: organizationId, phone_numbers: JSON.stringify(phoneNumbers) });
}
