import { type Kysely, sql } from "kysely";
import type { RowLocks } from "../engine/row-locks.ts";
import { deleteExpired } from "../idempotency/kept-answers.ts";
import type { Tables } from "../tables.ts";
import type { Retention, RetentionStore } from "./retention-store.ts";

/** Records deleted by one statement: others wait for it no longer than for any. */
const batch = 500;

/** Organizations looked up at once. */
const mostOrganizations = 100;

export const retentionIn = (db: Kysely<Tables>, locks: RowLocks): RetentionStore => ({
  prune: (retention, most) => prune(db, locks, retention, most),
  async pruneOrganization(organizationId, retention) {
    while ((await deleteBatch(db, locks, organizationId, retention)) > 0);
  },
});

/** Until there is nothing more or it was `most`. */
async function prune(db: Kysely<Tables>, locks: RowLocks, retention: Retention, most: number): Promise<number> {
  let deleted = 0;
  for (;;) {
    const before = deleted;
    for (const id of await organizationsWithOld(db, retention)) {
      if (deleted >= most) return deleted;
      deleted += await deleteBatch(db, locks, id, retention);
    }
    // What is left of it is in the hands of another process.
    if (deleted === before) return deleted;
  }
}

/** A few look-ups for each organization, since what is oldest of each comes first in an index. */
async function organizationsWithOld(db: Kysely<Tables>, { eventsBefore, attemptsBefore, answersUntil }: Retention) {
  const { rows } = await sql<{ readonly id: string }>`
    select id from organizations
    where manual_clock is null and (
      exists (select 1 from events where organization_id = organizations.id and created_at < ${eventsBefore})
      or exists (
        select 1 from delivery_attempts
        where organization_id = organizations.id and occurred_at < ${attemptsBefore})
      or exists (
        select 1 from kept_answers
        where organization_id = organizations.id and kept_until <= ${answersUntil}))
    limit ${mostOrganizations}`.execute(db);
  return rows.map(({ id }) => id);
}

async function deleteBatch(
  db: Kysely<Tables>,
  locks: RowLocks,
  organizationId: string,
  { eventsBefore, attemptsBefore, answersUntil }: Retention,
): Promise<number> {
  const events = db
    .selectFrom("events")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("created_at", "<", eventsBefore)
    .orderBy("created_at")
    .limit(batch);
  const attempts = db
    .selectFrom("delivery_attempts")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("occurred_at", "<", attemptsBefore)
    .orderBy("occurred_at")
    .limit(batch);
  const [deleted, deletedAttempts, deletedAnswers] = [
    await db.deleteFrom("events").where("id", "in", locks.free(events)).executeTakeFirst(),
    await db.deleteFrom("delivery_attempts").where("id", "in", locks.free(attempts)).executeTakeFirst(),
    await deleteExpired(db, locks, organizationId, { now: answersUntil, most: batch }),
  ];
  return Number(deleted.numDeletedRows) + Number(deletedAttempts.numDeletedRows) + deletedAnswers;
}
