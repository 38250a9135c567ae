import type { Kysely } from "kysely";
import type { KeptAnswer, Retry } from "../../domain/idempotency/kept-answer.ts";
import type { Tables } from "../tables.ts";
import type { KeptAnswers } from "../unit-of-work.ts";

/** Expired answers deleted at once, so that nobody waits long behind them. */
const batch = 100;

/** Answers that retries get again. Whoever calls holds the organization. */
export const keptAnswersOf = (db: Kysely<Tables>, organizationId: string): KeptAnswers => ({
  find: (retry, now) => findKept(db, organizationId, retry, now),

  async keep({ operation, key, fingerprint, answer, keptUntil }, now) {
    const values = { fingerprint, answer, kept_until: keptUntil };
    await db
      .insertInto("kept_answers")
      .values({ organization_id: organizationId, operation, key, ...values })
      // One that has expired may still be there.
      .onConflict((conflict) => conflict.columns(["organization_id", "operation", "key"]).doUpdateSet(values))
      .execute();
    const expired = db
      .selectFrom("kept_answers")
      .select(["operation", "key"])
      .where("organization_id", "=", organizationId)
      .where("kept_until", "<=", now)
      .orderBy("kept_until")
      .limit(batch);
    for (const old of await expired.execute())
      await db
        .deleteFrom("kept_answers")
        .where("organization_id", "=", organizationId)
        .where("operation", "=", old.operation)
        .where("key", "=", old.key)
        .execute();
  },
});

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
