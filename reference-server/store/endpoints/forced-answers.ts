import type { ForcedAnswer } from "../../domain/deliveries/receiver-answer.ts";
import { columns } from "../columns.ts";
import { type Connection, type Given, insertion, statement } from "../engine/statement.ts";

const insertAnswers = insertion("forced_answers", columns.forced_answers);

const deleteAnswers = statement((db, given: Given<{ readonly endpointId: string; readonly upTo: number }>) =>
  db.deleteFrom("forced_answers").where("endpoint_id", "=", given("endpointId")).where("position", "<=", given("upTo")),
);

const selectFirst = statement((db, given: Given<{ readonly endpointId: string; readonly most: number }>) =>
  db
    .selectFrom("forced_answers")
    .select(columns.forced_answers)
    .where("endpoint_id", "=", given("endpointId"))
    .orderBy("position")
    .limit(given("most")),
);

/** No position lies behind it. */
const lastPosition = 0x7fffffff;

/** Replaces what coming attempts at an endpoint meet. Whoever calls holds the endpoint. */
export async function replaceForcedAnswers(
  on: Connection,
  endpointId: string,
  answers: readonly ForcedAnswer[],
  repeatLast: boolean,
): Promise<void> {
  await deleteAnswers.run(on, { endpointId, upTo: lastPosition });
  const last = answers.length - 1;
  const rows = answers.map((answer, position) => ({
    endpoint_id: endpointId,
    position,
    answer: JSON.stringify(answer),
    repeats: repeatLast && position === last ? 1 : 0,
  }));
  await insertAnswers.run(on, { rows });
}

/** Takes the next answers away, as JSON: so many, or as many as there are. Whoever calls holds the endpoint. */
export async function takeForcedAnswers(on: Connection, endpointId: string, most: number): Promise<readonly string[]> {
  if (most === 0) return [];
  const rows = await selectFirst.rows(on, { endpointId, most });
  const used = rows.filter(({ repeats }) => repeats === 0).map(({ position }) => position);
  if (used.length > 0) await deleteAnswers.run(on, { endpointId, upTo: Math.max(...used) });
  const taken = rows.map(({ answer }) => answer);
  const last = rows.at(-1);
  const repeated = last?.repeats === 1 ? Array<string>(most - rows.length).fill(last.answer) : [];
  return [...taken, ...repeated];
}
