import { sql } from "kysely";
import { formBucket, type HostedForm } from "../../domain/consent/hosted-form.ts";
import { columns } from "../columns.ts";
import { type Connection, type Given, insertion, statement } from "../engine/statement.ts";
import type { HostedFormRow } from "../tables.ts";
import type { HostedForms } from "../unit-of-work.ts";
import { textOf } from "../webhook-rows.ts";

const insertRows = insertion("hosted_forms", columns.hosted_forms);

type Named = { readonly id: string; readonly organizationId: string };

const selectForm = statement((db, given: Given<Named>) =>
  db
    .selectFrom("hosted_forms")
    .select(columns.hosted_forms)
    .where("id", "=", given("id"))
    .where("organization_id", "=", given("organizationId")),
);

const selectByHash = statement((db, given: Given<{ readonly tokenHash: string }>) =>
  db.selectFrom("hosted_forms").select(columns.hosted_forms).where("token_hash", "=", given("tokenHash")),
);

const selectAll = statement((db, given: Given<{ readonly organizationId: string }>) =>
  db.selectFrom("hosted_forms").select(columns.hosted_forms).where("organization_id", "=", given("organizationId")),
);

const updateSubmitted = statement((db, given: Given<Named & { readonly at: number }>) =>
  db
    .updateTable("hosted_forms")
    .set({ submitted_at: given("at") })
    .where("id", "=", given("id"))
    .where("organization_id", "=", given("organizationId")),
);

const deleteForms = statement((db, given: Given<{ readonly organizationId: string; readonly phoneNumber: string }>) =>
  db
    .deleteFrom("hosted_forms")
    .where("organization_id", "=", given("organizationId"))
    .where("phone_number", "=", given("phoneNumber")),
);

const deleteExpired = statement(
  (db, given: Given<{ readonly organizationId: string; readonly before: number; readonly most: number }>, { free }) =>
    db
      .deleteFrom("hosted_forms")
      .where(
        "id",
        "in",
        free(
          db
            .selectFrom("hosted_forms")
            .select("id")
            .where("organization_id", "=", given("organizationId"))
            .where("expires_at", "<", given("before"))
            .orderBy("expires_at")
            .limit(given("most")),
        ),
      ),
);

/** Limits of forms that are there no more, by the ids with which their names end. */
const deleteLimits = statement(
  (_, given: Given<{ readonly organizationId: string; readonly names: string }>) => sql`
    delete from limits
    where organization_id = ${given("organizationId")} and name like ${given("names")}
      and substr(name, length(name) - 35) not in (
        select id from hosted_forms where organization_id = ${given("organizationId")})`,
);

/** Whatever it is that they are kept by. */
const names = `%:${formBucket("%")}`;

export const hostedFormsOf = (on: Connection, organizationId: string): HostedForms => ({
  async find(id) {
    const row = await selectForm.first(on, { id, organizationId });
    return row ? hostedFormOf(row) : null;
  },

  async insert(form) {
    await insertRows.run(on, { rows: [rowOf(form)] });
  },

  async submit(id, at) {
    await updateSubmitted.run(on, { id, organizationId, at });
  },

  async remove(phoneNumber) {
    await deleteForms.run(on, { organizationId, phoneNumber });
    await deleteLimits.run(on, { organizationId, names });
  },
});

/** Deletes some that expired before an instant, with their limits, and gives how many. */
export async function deleteExpiredForms(
  on: Connection,
  organizationId: string,
  oldest: { readonly before: number; readonly most: number },
): Promise<number> {
  const deleted = await deleteExpired.run(on, { organizationId, ...oldest });
  if (deleted > 0) await deleteLimits.run(on, { organizationId, names });
  return deleted;
}

/** Null when no form has this token. */
export async function findHostedFormByHash(on: Connection, tokenHash: string): Promise<HostedForm | null> {
  const row = await selectByHash.first(on, { tokenHash });
  return row ? hostedFormOf(row) : null;
}

/** All forms of an organization. */
export const hostedFormsIn = async (on: Connection, organizationId: string): Promise<readonly HostedForm[]> =>
  (await selectAll.rows(on, { organizationId })).map(hostedFormOf);

const rowOf = (form: HostedForm): HostedFormRow => ({
  id: form.id,
  organization_id: form.organizationId,
  phone_number: form.phoneNumber,
  source: JSON.stringify(form.source),
  sender_name: JSON.stringify(form.senderName),
  token_hash: form.tokenHash,
  created_at: form.createdAt,
  expires_at: form.expiresAt,
  submitted_at: form.submittedAt,
});

function hostedFormOf(row: HostedFormRow): HostedForm {
  const { id, organization_id: organizationId, phone_number: phoneNumber, token_hash: tokenHash } = row;
  const times = { createdAt: row.created_at, expiresAt: row.expires_at, submittedAt: row.submitted_at };
  const texts = { source: textOf(row.source), senderName: textOf(row.sender_name) };
  return { id, organizationId, phoneNumber, tokenHash, ...texts, ...times };
}
