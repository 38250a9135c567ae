import { sql } from "kysely";
import { type Consent, isConsentState } from "../../domain/consent/consent.ts";
import { columns } from "../columns.ts";
import { type Connection, type Given, insertRows, statement } from "../engine/statement.ts";
import type { ConsentRow } from "../tables.ts";
import type { Consents } from "../unit-of-work.ts";

const selectConsent = statement((db, given: Given<{ readonly organizationId: string; readonly phoneNumber: string }>) =>
  db
    .selectFrom("consents")
    .select(columns.consents)
    .where("organization_id", "=", given("organizationId"))
    .where("phone_number", "=", given("phoneNumber")),
);

const selectOfAll = statement(
  (db, given: Given<{ readonly organizationId: string; readonly phoneNumbers: readonly string[] }>, { isOneOf }) =>
    db
      .selectFrom("consents")
      .select(columns.consents)
      .where("organization_id", "=", given("organizationId"))
      .where(isOneOf("phone_number", given("phoneNumbers"))),
);

const selectAll = statement((db, given: Given<{ readonly organizationId: string }>) =>
  db.selectFrom("consents").select(columns.consents).where("organization_id", "=", given("organizationId")),
);

const putConsents = statement(
  (_, given: Given<{ readonly rows: readonly ConsentRow[] }>, engine) =>
    sql`${insertRows("consents", columns.consents, given("rows"), engine)}
      on conflict (organization_id, phone_number)
      do update set state = excluded.state, source = excluded.source, captured_at = excluded.captured_at`,
);

const deleteConsent = statement((db, given: Given<{ readonly organizationId: string; readonly phoneNumber: string }>) =>
  db
    .deleteFrom("consents")
    .where("organization_id", "=", given("organizationId"))
    .where("phone_number", "=", given("phoneNumber")),
);

export const consentsOf = (on: Connection, organizationId: string): Consents => ({
  async of(phoneNumber) {
    const row = await selectConsent.first(on, { organizationId, phoneNumber });
    return row ? consentOf(row) : null;
  },

  async ofAll(phoneNumbers) {
    const rows = await selectOfAll.rows(on, { organizationId, phoneNumbers });
    return new Map(rows.map((row) => [row.phone_number, consentOf(row)]));
  },

  async put(consent) {
    await putConsents.run(on, { rows: [rowOf(consent, organizationId)] });
  },

  async putAll(consents) {
    await putConsents.run(on, { rows: consents.map((consent) => rowOf(consent, organizationId)) });
  },

  async remove(phoneNumber) {
    await deleteConsent.run(on, { organizationId, phoneNumber });
  },
});

/** All consents of an organization. */
export const consentsIn = async (on: Connection, organizationId: string): Promise<readonly Consent[]> =>
  (await selectAll.rows(on, { organizationId })).map(consentOf);

const rowOf = ({ phoneNumber, state, source, capturedAt }: Consent, organizationId: string): ConsentRow => ({
  organization_id: organizationId,
  phone_number: phoneNumber,
  state,
  source: JSON.stringify(source),
  captured_at: capturedAt,
});

function consentOf(row: ConsentRow): Consent {
  const { organization_id: organizationId, phone_number: phoneNumber, state, captured_at: capturedAt } = row;
  const source: unknown = JSON.parse(row.source);
  if (!isConsentState(state)) throw new Error(`The database holds a consent of unknown state ${state}.`);
  if (typeof source !== "string") throw new Error("The database holds a consent whose source is no text.");
  return { organizationId, phoneNumber, state, source, capturedAt };
}
