import type { Kysely } from "kysely";
import type { KeptAnswer, Retry } from "../../domain/idempotency/kept-answer.ts";
import type { RowLocks } from "../engine/row-locks.ts";
import type { Tables } from "../tables.ts";
import type { KeptAnswers } from "../unit-of-work.ts";

/** Expired answers deleted with each that is kept: many more than are added, and few for those who wait meanwhile. */
const batch = 100;

/** Answers that retries get again. Whoever calls holds the organization. */
export const keptAnswersOf = (db: Kysely<Tables>, locks: RowLocks, organizationId: string): KeptAnswers => ({
  find: (retry, now) => findKept(db, organizationId, retry, now),

  async keep({ operation, key, fingerprint, answer, keptUntil }, now) {
    const values = { fingerprint, answer, kept_until: keptUntil };
    await db
      .insertInto("kept_answers")
      .values({ organization_id: organizationId, operation, key, ...values })
      // One that has expired may still be there.
      .onConflict((conflict) => conflict.columns(["organization_id", "operation", "key"]).doUpdateSet(values))
      .execute();
    await deleteExpired(db, locks, organizationId, { now, most: batch });
  },
});

/** Deletes answers that are kept no longer, the oldest first, and gives how many. One statement. */
export async function deleteExpired(
  db: Kysely<Tables>,
  locks: RowLocks,
  organizationId: string,
  { now, most }: { readonly now: number; readonly most: number },
): Promise<number> {
  const expired = db
    .selectFrom("kept_answers")
    .select(["operation", "key"])
    .where("organization_id", "=", organizationId)
    .where("kept_until", "<=", now)
    .orderBy("kept_until")
    .limit(most);
  const { numDeletedRows } = await db
    // As a subquery it may be run again for each row, and passes over the rows that it locked and that are deleted since.
    .with("expired", () => locks.free(expired))
    .deleteFrom("kept_answers")
    .where("organization_id", "=", organizationId)
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple("operation", "key"),
        "in",
        selectFrom("expired").select(["operation", "key"]).$asTuple("operation", "key"),
      ),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** The answer that is kept for a retry at this time of its organization; null when there is none. */
export async function findKept(
  db: Kysely<Tables>,
  organizationId: string,
  { operation, key }: Pick<Retry, "operation" | "key">,
  now: number,
): Promise<KeptAnswer | null> {
  const row = await db
    .selectFrom("kept_answers")
    .select(["fingerprint", "answer", "kept_until"])
    .where("organization_id", "=", organizationId)
    .where("operation", "=", operation)
    .where("key", "=", key)
    .where("kept_until", ">", now)
    .executeTakeFirst();
  return row ? { operation, key, fingerprint: row.fingerprint, answer: row.answer, keptUntil: row.kept_until } : null;
}
