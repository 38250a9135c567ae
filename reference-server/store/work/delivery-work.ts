import type { Kysely } from "kysely";
import { takeForcedAnswers } from "../endpoints/forced-answers.ts";
import type { RowLocks } from "../engine/row-locks.ts";
import type { JobRow, Tables } from "../tables.ts";
import { endpointOf, eventOf, forcedAnswerOf, rowOfAttempt } from "../webhook-rows.ts";
import type { SqlWorkKind } from "./work-kind.ts";

/** Deliveries: a partition is an endpoint, and it is closed while the endpoint is switched off or deleted. */
export const deliveryWork = (locks: RowLocks): SqlWorkKind => ({
  async open(db, ids, ifHeld) {
    const endpoints = await endpointsOf(db, locks, ids, ifHeld);
    const isOpen = ({ active, deleted_at }: HeldEndpoint): boolean => active === 1 && deleted_at === null;
    return {
      open: endpoints.filter(isOpen).map(({ id }) => id),
      closed: endpoints.filter((endpoint) => !isOpen(endpoint)).map(({ id }) => id),
      async load(jobs, clock, { lease }) {
        const forced = await forcedAnswers(db, jobs, endpoints);
        const eventIds = [...new Set(jobs.map(({ event_id }) => event_id))];
        const events = await db.selectFrom("events").selectAll().where("id", "in", eventIds).execute();
        const eventsById = new Map(events.map((row) => [row.id, eventOf(row)]));
        const endpointsById = new Map(endpoints.map((row) => [row.id, endpointOf(row)]));
        return jobs.flatMap((job) => {
          const event = eventsById.get(job.event_id ?? "");
          const endpoint = endpointsById.get(job.partition_id);
          // An event that went just now took its deliveries along.
          if (event === undefined || endpoint === undefined) return [];
          const delivery = { id: job.id, event, endpoint, attempts: job.attempts, dueAt: job.due_at };
          const answer = forced.get(job.id) ?? null;
          const about = { kind: "delivery", organizationId: event.organizationId, clock, lease } as const;
          const claim = { ...about, delivery, forced: answer === null ? null : forcedAnswerOf(answer) };
          return [{ id: job.id, claim, forced: answer }];
        });
      },
    };
  },

  async record(db, settlements) {
    const rows = settlements.map(({ attempt }) => rowOfAttempt(attempt));
    await db.insertInto("delivery_attempts").values(rows).execute();
  },
});

type HeldEndpoint = Awaited<ReturnType<typeof endpointsOf>>[number];

/** Held until the transaction ends, so that what is set for their coming attempts goes to one attempt each. */
function endpointsOf(db: Kysely<Tables>, locks: RowLocks, ids: readonly string[], ifHeld: "wait" | "leave") {
  const endpoints = db
    .selectFrom("webhook_endpoints")
    .selectAll()
    .select(({ selectFrom, fn }) =>
      selectFrom("forced_answers")
        .select(fn.countAll<number>().as("count"))
        .whereRef("endpoint_id", "=", "webhook_endpoints.id")
        .$asScalar()
        .$notNull()
        .as("forced_answers"),
    )
    .where("id", "in", ids)
    .orderBy("id");
  return (ifHeld === "wait" ? locks.held(endpoints) : locks.free(endpoints)).execute();
}

/** By job: the forced answers that they have from an earlier lease, and those that they get now. */
async function forcedAnswers(
  db: Kysely<Tables>,
  jobs: readonly JobRow[],
  endpoints: readonly HeldEndpoint[],
): Promise<ReadonlyMap<string, string>> {
  const forced = new Map(jobs.flatMap(({ id, forced }) => (forced === null ? [] : [[id, forced]])));
  for (const { id: endpointId } of endpoints.filter(({ forced_answers: count }) => count > 0)) {
    const without = jobs.filter(({ id, partition_id }) => partition_id === endpointId && !forced.has(id));
    const answers = await takeForcedAnswers(db, endpointId, without.length);
    for (const [index, { id }] of without.entries()) {
      const answer = answers[index];
      if (answer !== undefined) forced.set(id, answer);
    }
  }
  return forced;
}
