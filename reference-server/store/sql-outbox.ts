import { randomUUID } from "node:crypto";
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Event } from "../domain/event.ts";
import type { RowLocks } from "./row-locks.ts";
import { addJobs } from "./sql-partitions.ts";
import type { EventRow, Tables } from "./tables.ts";
import { eventTypesOf, rowOfEvent } from "./webhook-rows.ts";
import type { Recipients } from "./webhook-store.ts";

/** Endpoints of one organization that an event goes to. */
export interface Addressees {
  readonly endpointIds: readonly string[];
  readonly manual: boolean;
}

/** A change that is made, in `db`, only where the condition holds; null when it was not made. */
export type ConditionalChange<Change> = (db: Kysely<Tables>, condition: RawBuilder<boolean>) => Promise<Change | null>;

const always = sql<boolean>`1 = 1`;

/** Puts events into the queue of deliveries, each together with the change that it tells of. */
export class SqlOutbox {
  readonly #db: Kysely<Tables>;
  readonly #locks: RowLocks;
  #enqueued: () => void = () => undefined;

  constructor(db: Kysely<Tables>, locks: RowLocks) {
    this.#db = db;
    this.#locks = locks;
  }

  /** Has `listener` called after every change that may have made a delivery due at once. */
  onEnqueued(listener: () => void): void {
    this.#enqueued = listener;
  }

  /** Tells that something may have become due. To be called when it is committed. */
  announce(): void {
    this.#enqueued();
  }

  async emit(event: Event, to: Recipients): Promise<number> {
    const count = await this.#db.transaction().execute(async (db) => {
      const addressees = await this.#addressees(db, event, to);
      return enqueue(db, rowOfEvent(event), addressees);
    });
    if (count > 0) this.announce();
    return count;
  }

  /** Makes a change and, when it is made, enqueues the event that tells of it: both or neither. */
  async tell<Change>(event: Event | undefined, change: ConditionalChange<Change>): Promise<Change | null> {
    if (event === undefined) return change(this.#db, always);
    // Most organizations have nobody to tell: for them it stays one statement.
    const untold = await change(this.#db, hasNoEndpoint(event.organizationId));
    return untold ?? this.#changeAndTell(event, change);
  }

  async #changeAndTell<Change>(event: Event, change: ConditionalChange<Change>): Promise<Change | null> {
    let enqueued = 0;
    const changed = await this.#db.transaction().execute(async (db) => {
      const addressees = await this.#addressees(db, event, "subscribed");
      const made = await change(db, always);
      if (made !== null) enqueued = await enqueue(db, rowOfEvent(event), addressees);
      return made;
    });
    if (enqueued > 0) this.announce();
    return changed;
  }

  async #addressees(db: Kysely<Tables>, event: Event, to: Recipients): Promise<Addressees> {
    const active = db
      .selectFrom("webhook_endpoints")
      .innerJoin("organizations", "organizations.id", "webhook_endpoints.organization_id")
      .select(["webhook_endpoints.id", "webhook_endpoints.events", "organizations.manual_clock"])
      .where("webhook_endpoints.organization_id", "=", event.organizationId)
      .where("webhook_endpoints.active", "=", 1)
      .where("webhook_endpoints.deleted_at", "is", null);
    const asked = to === "subscribed" ? active : active.where("webhook_endpoints.id", "=", to.endpointId);
    // Whoever deletes an organization locks it before anything of it, so whoever adds something does likewise.
    const rows = await this.#locks.kept(asked, "organizations").execute();
    const meant = to === "subscribed" ? rows.filter(({ events }) => eventTypesOf(events).includes(event.type)) : rows;
    return {
      endpointIds: meant.map(({ id }) => id),
      manual: meant.some(({ manual_clock: clock }) => clock !== null),
    };
  }
}

const hasNoEndpoint = (organizationId: string): RawBuilder<boolean> => sql`not exists (
  select 1 from webhook_endpoints
  where organization_id = ${organizationId} and deleted_at is null and active = 1)`;

/** Has an event delivered to its addressees, due when it happened. Gives how many they are; for none it is not kept. */
export async function enqueue(
  db: Kysely<Tables>,
  event: EventRow,
  { endpointIds, manual }: Addressees,
): Promise<number> {
  if (endpointIds.length === 0) return 0;
  await db.insertInto("events").values(event).execute();
  const of = { kind: "delivery", organization_id: event.organization_id, manual: manual ? 1 : 0 };
  const deliveries = endpointIds.map((id) => ({
    id: randomUUID(),
    event_id: event.id,
    due_at: event.created_at,
    partition: { ...of, id },
  }));
  await addJobs(db, deliveries);
  return deliveries.length;
}
