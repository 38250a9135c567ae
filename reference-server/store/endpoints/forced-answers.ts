import type { Kysely } from "kysely";
import type { ForcedAnswer } from "../../domain/deliveries/receiver-answer.ts";
import type { Tables } from "../tables.ts";

/** Replaces what coming attempts at an endpoint meet. Whoever calls holds the endpoint. */
export async function replaceForcedAnswers(
  db: Kysely<Tables>,
  endpointId: string,
  answers: readonly ForcedAnswer[],
  repeatLast: boolean,
): Promise<void> {
  await db.deleteFrom("forced_answers").where("endpoint_id", "=", endpointId).execute();
  if (answers.length === 0) return;
  const last = answers.length - 1;
  const rows = answers.map((answer, position) => ({
    endpoint_id: endpointId,
    position,
    answer: JSON.stringify(answer),
    repeats: repeatLast && position === last ? 1 : 0,
  }));
  await db.insertInto("forced_answers").values(rows).execute();
}

/** Takes the next answers away, as JSON: so many, or as many as there are. Whoever calls holds the endpoint. */
export async function takeForcedAnswers(
  db: Kysely<Tables>,
  endpointId: string,
  most: number,
): Promise<readonly string[]> {
  if (most === 0) return [];
  const answers = db.selectFrom("forced_answers").where("endpoint_id", "=", endpointId);
  const rows = await answers.selectAll().orderBy("position").limit(most).execute();
  const used = rows.filter(({ repeats }) => repeats === 0).map(({ position }) => position);
  if (used.length > 0)
    await db
      .deleteFrom("forced_answers")
      .where("endpoint_id", "=", endpointId)
      .where("position", "<=", Math.max(...used))
      .execute();
  const taken = rows.map(({ answer }) => answer);
  const last = rows.at(-1);
  const repeated = last?.repeats === 1 ? Array<string>(most - rows.length).fill(last.answer) : [];
  return [...taken, ...repeated];
}
