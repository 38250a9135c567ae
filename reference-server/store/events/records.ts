import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";
import type { UnitOfWork } from "../unit-of-work.ts";
import { attemptOf, eventOf } from "../webhook-rows.ts";

/** What is on record of an organization's deliveries. */
export const recordsOf = (
  db: Kysely<Tables>,
  organizationId: string,
): Pick<UnitOfWork, "attempts" | "events" | "replays"> => ({
  attempts: {
    async find(id) {
      const row = await db
        .selectFrom("delivery_attempts")
        .selectAll()
        .where("id", "=", id)
        .where("organization_id", "=", organizationId)
        .executeTakeFirst();
      return row ? attemptOf(row) : null;
    },
  },
  events: {
    async find(id) {
      const row = await db
        .selectFrom("events")
        .selectAll()
        .where("id", "=", id)
        .where("organization_id", "=", organizationId)
        .executeTakeFirst();
      return row ? eventOf(row) : null;
    },
  },
  replays: {
    async insert({ id, attemptId, eventId, reason, requestedBy, requestedAt }) {
      await db
        .insertInto("replays")
        .values({
          id,
          organization_id: organizationId,
          attempt_id: attemptId,
          event_id: eventId,
          reason: reason === null ? null : JSON.stringify(reason),
          requested_by: requestedBy,
          requested_at: requestedAt,
        })
        .execute();
    },
  },
});
