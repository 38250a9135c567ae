import { randomUUID } from "node:crypto";
import type { Event } from "../../domain/events/event.ts";
import type { Organization } from "../../domain/organizations/organization.ts";
import { columns } from "../columns.ts";
import { type Connection, type Given, insertion, statement } from "../engine/statement.ts";
import type { Recipients } from "../unit-of-work.ts";
import { eventTypesOf, rowOfEvent } from "../webhook-rows.ts";
import { addJobs } from "../work/partitions.ts";

const insertEvents = insertion("events", columns.events);

const selectActive = statement((db, given: Given<{ readonly organizationId: string }>) =>
  db
    .selectFrom("webhook_endpoints")
    .select(["id", "events"])
    .where("organization_id", "=", given("organizationId"))
    .where("active", "=", 1)
    .where("deleted_at", "is", null),
);

/**
 * Puts an event into the queue of deliveries, in the transaction of the change that it tells of. Gives how many get it;
 * for none it is not kept. Whoever calls holds the organization.
 */
export async function enqueue(on: Connection, event: Event, to: Recipients, { clock }: Organization): Promise<number> {
  const endpointIds = await addressees(on, event, to);
  if (endpointIds.length === 0) return 0;
  await insertEvents.run(on, { rows: [rowOfEvent(event)] });
  const manual = clock.mode === "manual" ? 1 : 0;
  const of = { kind: "delivery", organization_id: event.organizationId, manual };
  const deliveries = endpointIds.map((id) => ({
    id: randomUUID(),
    event_id: event.id,
    message_id: null,
    due_at: event.createdAt,
    partition: { ...of, id },
  }));
  await addJobs(on, deliveries);
  return deliveries.length;
}

async function addressees(on: Connection, event: Event, to: Recipients): Promise<readonly string[]> {
  const rows = await selectActive.rows(on, { organizationId: event.organizationId });
  const meant =
    to === "subscribed"
      ? rows.filter(({ events }) => eventTypesOf(events).includes(event.type))
      : rows.filter(({ id }) => id === to.endpointId);
  return meant.map(({ id }) => id);
}
