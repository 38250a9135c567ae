import type { Kysely } from "kysely";
import { type Consent, isConsentState } from "../../domain/consent/consent.ts";
import type { ConsentRow, Tables } from "../tables.ts";
import type { Consents } from "../unit-of-work.ts";

export const consentsOf = (db: Kysely<Tables>, organizationId: string): Consents => ({
  async of(phoneNumber) {
    const row = await db
      .selectFrom("consents")
      .selectAll()
      .where("organization_id", "=", organizationId)
      .where("phone_number", "=", phoneNumber)
      .executeTakeFirst();
    return row ? consentOf(row) : null;
  },

  async put({ phoneNumber, state, source, capturedAt }) {
    const known = { state, source: JSON.stringify(source), captured_at: capturedAt };
    await db
      .insertInto("consents")
      .values({ organization_id: organizationId, phone_number: phoneNumber, ...known })
      .onConflict((conflict) => conflict.columns(["organization_id", "phone_number"]).doUpdateSet(known))
      .execute();
  },
});

/** All consents of an organization. */
export async function consentsIn(db: Kysely<Tables>, organizationId: string): Promise<readonly Consent[]> {
  const rows = await db.selectFrom("consents").selectAll().where("organization_id", "=", organizationId).execute();
  return rows.map(consentOf);
}

function consentOf(row: ConsentRow): Consent {
  const { organization_id: organizationId, phone_number: phoneNumber, state, captured_at: capturedAt } = row;
  const source: unknown = JSON.parse(row.source);
  if (!isConsentState(state)) throw new Error(`The database holds a consent of unknown state ${state}.`);
  if (typeof source !== "string") throw new Error("The database holds a consent whose source is no text.");
  return { organizationId, phoneNumber, state, source, capturedAt };
}
