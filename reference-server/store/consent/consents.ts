import { type Consent, isConsentState } from "../../domain/consent/consent.ts";
import { columns } from "../columns.ts";
import { type Connection, type Given, statement } from "../engine/statement.ts";
import type { ConsentRow } from "../tables.ts";
import type { Consents } from "../unit-of-work.ts";

const selectConsent = statement((db, given: Given<{ readonly organizationId: string; readonly phoneNumber: string }>) =>
  db
    .selectFrom("consents")
    .select(columns.consents)
    .where("organization_id", "=", given("organizationId"))
    .where("phone_number", "=", given("phoneNumber")),
);

const selectAll = statement((db, given: Given<{ readonly organizationId: string }>) =>
  db.selectFrom("consents").select(columns.consents).where("organization_id", "=", given("organizationId")),
);

const putConsent = statement((db, given: Given<ConsentRow>) => {
  const known = { state: given("state"), source: given("source"), captured_at: given("captured_at") };
  return db
    .insertInto("consents")
    .values({ organization_id: given("organization_id"), phone_number: given("phone_number"), ...known })
    .onConflict((conflict) => conflict.columns(["organization_id", "phone_number"]).doUpdateSet(known));
});

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

  async put({ phoneNumber, state, source, capturedAt }) {
    const known = { state, source: JSON.stringify(source), captured_at: capturedAt };
    await putConsent.run(on, { organization_id: organizationId, phone_number: phoneNumber, ...known });
  },

  async remove(phoneNumber) {
    await deleteConsent.run(on, { organizationId, phoneNumber });
  },
});

/** All consents of an organization. */
export const consentsIn = async (on: Connection, organizationId: string): Promise<readonly Consent[]> =>
  (await selectAll.rows(on, { organizationId })).map(consentOf);

function consentOf(row: ConsentRow): Consent {
  const { organization_id: organizationId, phone_number: phoneNumber, state, captured_at: capturedAt } = row;
  const source: unknown = JSON.parse(row.source);
  if (!isConsentState(state)) throw new Error(`The database holds a consent of unknown state ${state}.`);
  if (typeof source !== "string") throw new Error("The database holds a consent whose source is no text.");
  return { organizationId, phoneNumber, state, source, capturedAt };
}
