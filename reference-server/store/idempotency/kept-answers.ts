import type { KeptAnswer, Retry } from "../../domain/idempotency/kept-answer.ts";
import { type Connection, type Given, statement } from "../engine/statement.ts";
import type { KeptAnswerRow } from "../tables.ts";
import type { KeptAnswers } from "../unit-of-work.ts";

/** Expired answers deleted with each that is kept: many more than are added, and few for those who wait meanwhile. */
const batch = 100;

const putAnswer = statement((db, given: Given<KeptAnswerRow>) => {
  const values = { fingerprint: given("fingerprint"), answer: given("answer"), kept_until: given("kept_until") };
  return (
    db
      .insertInto("kept_answers")
      .values({
        organization_id: given("organization_id"),
        operation: given("operation"),
        key: given("key"),
        ...values,
      })
      // One that has expired may still be there.
      .onConflict((conflict) => conflict.columns(["organization_id", "operation", "key"]).doUpdateSet(values))
  );
});

const deleteOldest = statement(
  (db, given: Given<{ readonly organizationId: string; readonly now: number; readonly most: number }>, { free }) =>
    db
      // As a subquery it may be run again for each row, and passes over the rows that it locked and that are deleted since.
      .with("expired", (db) =>
        free(
          db
            .selectFrom("kept_answers")
            .select(["operation", "key"])
            .where("organization_id", "=", given("organizationId"))
            .where("kept_until", "<=", given("now"))
            .orderBy("kept_until")
            .limit(given("most")),
        ),
      )
      .deleteFrom("kept_answers")
      .where("organization_id", "=", given("organizationId"))
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple("operation", "key"),
          "in",
          selectFrom("expired").select(["operation", "key"]).$asTuple("operation", "key"),
        ),
      ),
);

const selectAnswer = statement(
  (
    db,
    given: Given<{
      readonly organizationId: string;
      readonly operation: string;
      readonly key: string;
      readonly now: number;
    }>,
  ) =>
    db
      .selectFrom("kept_answers")
      .select(["fingerprint", "answer", "kept_until"])
      .where("organization_id", "=", given("organizationId"))
      .where("operation", "=", given("operation"))
      .where("key", "=", given("key"))
      .where("kept_until", ">", given("now")),
);

/** Answers that retries get again. Whoever calls holds the organization. */
export const keptAnswersOf = (on: Connection, organizationId: string): KeptAnswers => ({
  find: (retry, now) => findKept(on, organizationId, retry, now),

  async keep({ keptUntil, ...kept }, now) {
    await putAnswer.run(on, { ...kept, organization_id: organizationId, kept_until: keptUntil });
    await deleteExpired(on, organizationId, { now, most: batch });
  },
});

/** Deletes answers that are kept no longer, the oldest first, and gives how many. */
export const deleteExpired = (
  on: Connection,
  organizationId: string,
  oldest: { readonly now: number; readonly most: number },
): Promise<number> => deleteOldest.run(on, { organizationId, ...oldest });

/** The answer that is kept for a retry at this time of its organization; null when there is none. */
export async function findKept(
  on: Connection,
  organizationId: string,
  { operation, key }: Pick<Retry, "operation" | "key">,
  now: number,
): Promise<KeptAnswer | null> {
  const row = await selectAnswer.first(on, { organizationId, operation, key, now });
  return row ? { operation, key, fingerprint: row.fingerprint, answer: row.answer, keptUntil: row.kept_until } : null;
}
