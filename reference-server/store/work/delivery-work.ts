import { sql } from "kysely";
import { columns } from "../columns.ts";
import type { JobRow, WebhookEndpointRow } from "../delivery-tables.ts";
import { takeForcedAnswers } from "../endpoints/forced-answers.ts";
import { type Connection, type Given, insertion, statement } from "../engine/statement.ts";
import { endpointOf, eventOf, forcedAnswerOf, rowOfAttempt } from "../webhook-rows.ts";
import type { SqlWorkKind } from "./work-kind.ts";

interface HeldEndpoint extends WebhookEndpointRow {
  readonly forced_answers: number;
}

type Ids = { readonly ids: readonly string[] };

/** Held until the transaction ends, so that what is set for their coming attempts goes to one attempt each. */
const holdEndpoints = { wait: holding("held"), leave: holding("free") };

function holding(how: "held" | "free") {
  return statement((db, given: Given<Ids>, engine) =>
    engine[how](
      db
        .selectFrom("webhook_endpoints")
        .select(columns.webhook_endpoints)
        .select(
          sql<number>`(select count(*) from forced_answers where endpoint_id = webhook_endpoints.id)`.as(
            "forced_answers",
          ),
        )
        .where(engine.isOneOf("id", given("ids")))
        .orderBy("id"),
    ),
  );
}

const selectEvents = statement((db, given: Given<Ids>, { isOneOf }) =>
  db
    .selectFrom("events")
    .select(columns.events)
    .where(isOneOf("id", given("ids"))),
);

const insertAttempts = insertion("delivery_attempts", columns.delivery_attempts);

/** Deliveries: a partition is an endpoint, and it is closed while the endpoint is switched off or deleted. */
export const deliveryWork: SqlWorkKind = {
  async open(on, ids, ifHeld) {
    const endpoints = await holdEndpoints[ifHeld].rows(on, { ids });
    const isOpen = ({ active, deleted_at }: HeldEndpoint): boolean => active === 1 && deleted_at === null;
    return {
      open: endpoints.filter(isOpen).map(({ id }) => id),
      closed: endpoints.filter((endpoint) => !isOpen(endpoint)).map(({ id }) => id),
      async load(jobs, clock, { lease }) {
        const forced = await forcedAnswers(on, jobs, endpoints);
        const eventIds = new Set(jobs.flatMap(({ event_id }) => event_id ?? []));
        const events = await selectEvents.rows(on, { ids: [...eventIds] });
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

  async record(on, settlements) {
    const rows = settlements.flatMap((each) => ("attempt" in each ? [rowOfAttempt(each.attempt)] : []));
    await insertAttempts.run(on, { rows });
  },
};

/** By job: the forced answers that they have from an earlier lease, and those that they get now. */
async function forcedAnswers(
  on: Connection,
  jobs: readonly JobRow[],
  endpoints: readonly HeldEndpoint[],
): Promise<ReadonlyMap<string, string>> {
  const forced = new Map(jobs.flatMap(({ id, forced }) => (forced === null ? [] : [[id, forced]])));
  for (const { id: endpointId } of endpoints.filter(({ forced_answers: count }) => count > 0)) {
    const without = jobs.filter(({ id, partition_id }) => partition_id === endpointId && !forced.has(id));
    const answers = await takeForcedAnswers(on, endpointId, without.length);
    for (const [index, { id }] of without.entries()) {
      const answer = answers[index];
      if (answer !== undefined) forced.set(id, answer);
    }
  }
  return forced;
}
