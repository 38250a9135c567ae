import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import type { Event } from "../../domain/events/event.ts";
import type { Organization } from "../../domain/organizations/organization.ts";
import type { Tables } from "../tables.ts";
import type { Recipients } from "../unit-of-work.ts";
import { eventTypesOf, rowOfEvent } from "../webhook-rows.ts";
import { addJobs } from "../work/partitions.ts";

/**
 * Puts an event into the queue of deliveries, in the transaction of the change that it tells of. Gives how many get it;
 * for none it is not kept. Whoever calls holds the organization.
 */
export async function enqueue(
  db: Kysely<Tables>,
  event: Event,
  to: Recipients,
  { clock }: Organization,
): Promise<number> {
  const endpointIds = await addressees(db, event, to);
  if (endpointIds.length === 0) return 0;
  await db.insertInto("events").values(rowOfEvent(event)).execute();
  const manual = clock.mode === "manual" ? 1 : 0;
  const of = { kind: "delivery", organization_id: event.organizationId, manual };
  const deliveries = endpointIds.map((id) => ({
    id: randomUUID(),
    event_id: event.id,
    due_at: event.createdAt,
    partition: { ...of, id },
  }));
  await addJobs(db, deliveries);
  return deliveries.length;
}

async function addressees(db: Kysely<Tables>, event: Event, to: Recipients): Promise<readonly string[]> {
  const active = db
    .selectFrom("webhook_endpoints")
    .select(["id", "events"])
    .where("organization_id", "=", event.organizationId)
    .where("active", "=", 1)
    .where("deleted_at", "is", null);
  const rows = await (to === "subscribed" ? active : active.where("id", "=", to.endpointId)).execute();
  const meant = to === "subscribed" ? rows.filter(({ events }) => eventTypesOf(events).includes(event.type)) : rows;
  return meant.map(({ id }) => id);
}
