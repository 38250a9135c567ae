import { sql } from "kysely";
import { isNumberStatus, type PhoneNumber } from "../../domain/phone-numbers/phone-number.ts";
import { columns } from "../columns.ts";
import { type Connection, type Given, insertRows, statement } from "../engine/statement.ts";
import { Overtaken } from "../overtaken.ts";
import type { PhoneNumberRow } from "../tables.ts";
import type { PhoneNumbers } from "../unit-of-work.ts";
import { numberStockIn, putNumberStock } from "./number-stocks.ts";

type Named = { readonly id: string; readonly organizationId: string };

const selectNumber = statement((db, given: Given<Named>) =>
  db
    .selectFrom("phone_numbers")
    .select(columns.phone_numbers)
    .where("id", "=", given("id"))
    .where("organization_id", "=", given("organizationId")),
);

const selectAll = statement((db, given: Given<{ readonly organizationId: string }>) =>
  db.selectFrom("phone_numbers").select(columns.phone_numbers).where("organization_id", "=", given("organizationId")),
);

const selectHeld = statement((db, given: Given<{ readonly phoneNumbers: readonly string[] }>, { isOneOf }) =>
  db
    .selectFrom("phone_numbers")
    .select("phone_number")
    .where(isOneOf("phone_number", given("phoneNumbers"))),
);

/** Those that nobody else has taken meanwhile: of two at once the second waits for the first, and finds it done. */
const insertFree = statement(
  (_, given: Given<{ readonly rows: readonly PhoneNumberRow[] }>, engine) =>
    sql`${insertRows("phone_numbers", columns.phone_numbers, given("rows"), engine)} on conflict (phone_number) do nothing`,
);

const updateNumber = statement((db, given: Given<PhoneNumberRow>) =>
  db
    .updateTable("phone_numbers")
    .set({
      status: given("status"),
      label: given("label"),
      inbound_url: given("inbound_url"),
      status_url: given("status_url"),
      campaign_id: given("campaign_id"),
    })
    .where("id", "=", given("id"))
    .where("organization_id", "=", given("organization_id")),
);

const deleteNumber = statement((db, given: Given<Named>) =>
  db.deleteFrom("phone_numbers").where("id", "=", given("id")).where("organization_id", "=", given("organizationId")),
);

export const phoneNumbersOf = (on: Connection, organizationId: string): PhoneNumbers => ({
  find: (id) => findPhoneNumber(on, organizationId, id),
  held: (phoneNumbers) => heldNumbers(on, phoneNumbers),

  async insert(numbers) {
    // In one order, so that of two orders that share several numbers one waits for the other, and not each for each.
    const rows = numbers.map(rowOf).toSorted((one, other) => (one.phone_number < other.phone_number ? -1 : 1));
    if ((await insertFree.run(on, { rows })) < rows.length) throw new Overtaken("a number that was free is held");
  },

  async update(number) {
    await updateNumber.run(on, rowOf(number));
  },

  async remove(id) {
    await deleteNumber.run(on, { id, organizationId });
  },

  stock: () => numberStockIn(on, organizationId),
  putStock: (phoneNumbers) => putNumberStock(on, organizationId, phoneNumbers),
});

/** Null for an unknown number, another organization's and a released one. */
export async function findPhoneNumber(on: Connection, organizationId: string, id: string): Promise<PhoneNumber | null> {
  const row = await selectNumber.first(on, { id, organizationId });
  return row ? phoneNumberOf(row) : null;
}

/** Which of these numbers somebody holds, whoever it is. */
export const heldNumbers = async (on: Connection, phoneNumbers: readonly string[]): Promise<ReadonlySet<string>> =>
  new Set((await selectHeld.rows(on, { phoneNumbers })).map(({ phone_number }) => phone_number));

/** All numbers that an organization holds. */
export const phoneNumbersIn = async (on: Connection, organizationId: string): Promise<readonly PhoneNumber[]> =>
  (await selectAll.rows(on, { organizationId })).map(phoneNumberOf);

const rowOf = (number: PhoneNumber): PhoneNumberRow => ({
  id: number.id,
  organization_id: number.organizationId,
  phone_number: number.phoneNumber,
  status: number.status,
  label: JSON.stringify(number.label),
  inbound_url: JSON.stringify(number.inboundUrl),
  status_url: JSON.stringify(number.statusUrl),
  campaign_id: number.campaignId,
  ordered_at: number.orderedAt,
});

function phoneNumberOf(row: PhoneNumberRow): PhoneNumber {
  const { id, organization_id: organizationId, phone_number: phoneNumber, status } = row;
  if (!isNumberStatus(status)) throw new Error(`The database holds a phone number of unknown status ${status}.`);
  const urls = { inboundUrl: textOrNull(row.inbound_url), statusUrl: textOrNull(row.status_url) };
  const rest = { campaignId: row.campaign_id, orderedAt: row.ordered_at };
  return { id, organizationId, phoneNumber, status, label: textOrNull(row.label), ...urls, ...rest };
}

function textOrNull(json: string): string | null {
  const value: unknown = JSON.parse(json);
  if (value === null || typeof value === "string") return value;
  throw new Error("The database holds a phone number with something that is no text.");
}
