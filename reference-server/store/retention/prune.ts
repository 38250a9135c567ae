import { type RawBuilder, type SqlBool, sql } from "kysely";
import { deleteEndedDoubleOptIns } from "../consent/double-opt-ins.ts";
import { deleteExpiredForms } from "../consent/hosted-forms.ts";
import { type Connection, type Given, statement } from "../engine/statement.ts";
import { deleteExpired } from "../idempotency/kept-answers.ts";
import type { Retention, RetentionStore } from "./retention-store.ts";

/** Records deleted by one statement: others wait for it no longer than for any. */
const batch = 500;

/** Organizations looked up at once. */
const mostOrganizations = 100;

/** A few look-ups for each organization, since what is oldest of each comes first in an index. */
const hasOld = (given: Given<Retention>, organizationId: RawBuilder<string>) => sql<SqlBool>`(
  exists (
    select 1 from events
    where organization_id = ${organizationId} and created_at < ${given("eventsBefore")})
  or exists (
    select 1 from delivery_attempts
    where organization_id = ${organizationId} and occurred_at < ${given("attemptsBefore")})
  or exists (
    select 1 from kept_answers
    where organization_id = ${organizationId} and kept_until <= ${given("answersUntil")})
  or exists (
    select 1 from hosted_forms
    where organization_id = ${organizationId} and expires_at < ${given("consentRequestsBefore")})
  or exists (
    select 1 from double_opt_ins
    where organization_id = ${organizationId} and expires_at < ${given("consentRequestsBefore")}
      and state <> 'pending'))`;

const selectWithOld = statement(
  (_, given: Given<Retention>) => sql<{ readonly id: string }>`
    select id from organizations
    where manual_clock is null and ${hasOld(given, sql.ref("organizations.id"))}
    limit ${sql.lit(mostOrganizations)}`,
);

/** Gives a row where an organization has something to delete: most have not, whenever a manual clock moves. */
const selectOld = statement(
  (_, given: Given<Retention & { readonly organizationId: string }>) => sql<{ readonly found: number }>`
    select 1 as found where ${hasOld(given, given("organizationId"))}`,
);

type OldOf = { readonly organizationId: string; readonly before: number };

const deleteEvents = statement((db, given: Given<OldOf>, { free }) =>
  db
    .deleteFrom("events")
    .where(
      "id",
      "in",
      free(
        db
          .selectFrom("events")
          .select("id")
          .where("organization_id", "=", given("organizationId"))
          .where("created_at", "<", given("before"))
          .orderBy("created_at")
          .limit(batch),
      ),
    ),
);

const deleteAttempts = statement((db, given: Given<OldOf>, { free }) =>
  db
    .deleteFrom("delivery_attempts")
    .where(
      "id",
      "in",
      free(
        db
          .selectFrom("delivery_attempts")
          .select("id")
          .where("organization_id", "=", given("organizationId"))
          .where("occurred_at", "<", given("before"))
          .orderBy("occurred_at")
          .limit(batch),
      ),
    ),
);

export const retentionIn = (on: Connection): RetentionStore => ({
  prune: (retention, most) => prune(on, retention, most),
  async pruneOrganization(organizationId, retention) {
    const isOver = async () => (await selectOld.first(on, { organizationId, ...retention })) === undefined;
    // What cannot be deleted is in the hands of another process.
    while (!(await isOver()) && (await deleteBatch(on, organizationId, retention)) > 0);
  },
});

/** Until there is nothing more or it was `most`. */
async function prune(on: Connection, retention: Retention, most: number): Promise<number> {
  let deleted = 0;
  for (;;) {
    const before = deleted;
    for (const { id } of await selectWithOld.rows(on, retention)) {
      if (deleted >= most) return deleted;
      deleted += await deleteBatch(on, id, retention);
    }
    // What is left of it is in the hands of another process.
    if (deleted === before) return deleted;
  }
}

const deleteBatch = async (
  on: Connection,
  organizationId: string,
  { eventsBefore, attemptsBefore, answersUntil, consentRequestsBefore }: Retention,
): Promise<number> =>
  (await deleteEvents.run(on, { organizationId, before: eventsBefore })) +
  (await deleteAttempts.run(on, { organizationId, before: attemptsBefore })) +
  (await deleteExpired(on, organizationId, { now: answersUntil, most: batch })) +
  (await deleteExpiredForms(on, organizationId, { before: consentRequestsBefore, most: batch })) +
  (await deleteEndedDoubleOptIns(on, organizationId, { before: consentRequestsBefore, most: batch }));
