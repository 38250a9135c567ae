import type { Kysely } from "kysely";
import type { OrganizationClock } from "../domain/clock.ts";
import type { Claim, Lease } from "../domain/delivery-queue.ts";
import { takeForcedAnswers } from "./sql-forced-answers.ts";
import type { DeliveryRow, Tables, WebhookEndpointRow } from "./tables.ts";
import { endpointOf, eventOf, forcedAnswerOf } from "./webhook-rows.ts";

/** An endpoint that the transaction holds. */
export interface HeldEndpoint extends WebhookEndpointRow {
  /** How many are set for its coming attempts. */
  readonly forced_answers: number;
}

/** Leases deliveries that the transaction holds, as it does their endpoints. */
export async function lease(
  db: Kysely<Tables>,
  rows: readonly DeliveryRow[],
  endpoints: readonly HeldEndpoint[],
  clock: OrganizationClock,
  { lease, leaseUntil }: Lease,
): Promise<readonly Claim[]> {
  if (rows.length === 0) return [];
  const forced = await forcedAnswers(db, rows, endpoints);
  const taken = { lease, lease_until: leaseUntil };
  const ids = rows.map(({ id }) => id).filter((id) => !forced.has(id));
  if (ids.length > 0) await db.updateTable("deliveries").set(taken).where("id", "in", ids).execute();
  // One change of each row: at a second one PostgreSQL would lock the event, out of turn.
  for (const [id, answer] of forced)
    await db
      .updateTable("deliveries")
      .set({ ...taken, forced: answer })
      .where("id", "=", id)
      .execute();
  const eventIds = [...new Set(rows.map(({ event_id }) => event_id))];
  const events = await db.selectFrom("events").selectAll().where("id", "in", eventIds).execute();
  const eventsById = new Map(events.map((row) => [row.id, eventOf(row)]));
  const endpointsById = new Map(endpoints.map((row) => [row.id, endpointOf(row)]));
  return rows.flatMap((row) => {
    const event = eventsById.get(row.event_id);
    const endpoint = endpointsById.get(row.endpoint_id);
    // An event that went just now took its deliveries along.
    if (event === undefined || endpoint === undefined) return [];
    const delivery = { id: row.id, event, endpoint, attempts: row.attempts, dueAt: row.due_at };
    const answer = forced.get(row.id);
    return [{ delivery, clock, lease, forced: answer === undefined ? null : forcedAnswerOf(answer) }];
  });
}

/** By delivery: the forced answers that they have from an earlier lease, and those that they get now. */
async function forcedAnswers(
  db: Kysely<Tables>,
  rows: readonly DeliveryRow[],
  endpoints: readonly HeldEndpoint[],
): Promise<ReadonlyMap<string, string>> {
  const forced = new Map(rows.flatMap(({ id, forced }) => (forced === null ? [] : [[id, forced]])));
  for (const { id: endpointId } of endpoints.filter(({ forced_answers: count }) => count > 0)) {
    const without = rows.filter(({ id, endpoint_id }) => endpoint_id === endpointId && !forced.has(id));
    const answers = await takeForcedAnswers(db, endpointId, without.length);
    for (const [index, { id }] of without.entries()) {
      const answer = answers[index];
      if (answer !== undefined) forced.set(id, answer);
    }
  }
  return forced;
}
