import type { Kysely } from "kysely";
import type { RowLocks } from "./row-locks.ts";
import { living } from "./sql-endpoints.ts";
import { enqueue, type SqlOutbox } from "./sql-outbox.ts";
import type { Tables } from "./tables.ts";
import { attemptOf, eventOf } from "./webhook-rows.ts";
import type { Replayed, ReplayRequest, WebhookStore } from "./webhook-store.ts";

/** Attempts one by one, and what is sent again because of them. */
export function replayStore(
  db: Kysely<Tables>,
  locks: RowLocks,
  outbox: SqlOutbox,
): Pick<WebhookStore, "attempt" | "replay"> {
  return {
    async attempt(organizationId, id) {
      const row = await attemptRow(db, organizationId, id);
      if (!row) return null;
      const event = await eventRow(db, row.event_id);
      return { attempt: attemptOf(row), event: event ? eventOf(event) : null };
    },

    async replay(organizationId, attemptId, request) {
      const replayed = await db
        .transaction()
        .execute((transaction) => replay(transaction, locks, organizationId, attemptId, request));
      if (replayed.kind === "replayed") outbox.announce();
      return replayed;
    },
  };
}

async function replay(
  db: Kysely<Tables>,
  locks: RowLocks,
  organizationId: string,
  attemptId: string,
  { newEventId, auditId, reason, by, now, retainedSince }: ReplayRequest,
): Promise<Replayed> {
  const owners = db.selectFrom("organizations").select("manual_clock").where("id", "=", organizationId);
  // Whoever deletes an organization locks it before anything of it, so whoever adds something does likewise.
  const owner = await locks.kept(owners, "organizations").executeTakeFirst();
  const attempt = await attemptRow(db, organizationId, attemptId);
  if (!owner || !attempt) return { kind: "missing" };
  const endpoint = await living(db, organizationId, attempt.endpoint_id).select("active").executeTakeFirst();
  if (!endpoint) return { kind: "missing" };
  const event = await eventRow(db, attempt.event_id);
  if (!event || event.created_at < retainedSince) return { kind: "expired" };
  if (endpoint.active === 0) return { kind: "inactive" };
  // The data as text: not a byte of it changes.
  const again = { ...event, id: newEventId, created_at: now };
  await enqueue(db, again, { endpointIds: [attempt.endpoint_id], manual: owner.manual_clock !== null });
  await db
    .insertInto("replays")
    .values({
      id: auditId,
      organization_id: organizationId,
      attempt_id: attemptId,
      event_id: newEventId,
      reason: reason === null ? null : JSON.stringify(reason),
      requested_by: by,
      requested_at: now,
    })
    .execute();
  return { kind: "replayed", attempt: attemptOf(attempt), event: eventOf(again) };
}

const attemptRow = (db: Kysely<Tables>, organizationId: string, id: string) =>
  db
    .selectFrom("delivery_attempts")
    .selectAll()
    .where("id", "=", id)
    .where("organization_id", "=", organizationId)
    .executeTakeFirst();

const eventRow = (db: Kysely<Tables>, id: string) =>
  db.selectFrom("events").selectAll().where("id", "=", id).executeTakeFirst();
