import { columns } from "../columns.ts";
import { type Connection, type Given, insertion, statement } from "../engine/statement.ts";
import type { UnitOfWork } from "../unit-of-work.ts";
import { attemptOf, eventOf } from "../webhook-rows.ts";

type OwnId = { readonly id: string; readonly organizationId: string };

const selectAttempt = statement((db, given: Given<OwnId>) =>
  db
    .selectFrom("delivery_attempts")
    .select(columns.delivery_attempts)
    .where("id", "=", given("id"))
    .where("organization_id", "=", given("organizationId")),
);

const selectEvent = statement((db, given: Given<OwnId>) =>
  db
    .selectFrom("events")
    .select(columns.events)
    .where("id", "=", given("id"))
    .where("organization_id", "=", given("organizationId")),
);

const insertReplays = insertion("replays", columns.replays);

/** What is on record of an organization's deliveries. */
export const recordsOf = (
  on: Connection,
  organizationId: string,
): Pick<UnitOfWork, "attempts" | "events" | "replays"> => ({
  attempts: {
    async find(id) {
      const row = await selectAttempt.first(on, { id, organizationId });
      return row ? attemptOf(row) : null;
    },
  },
  events: {
    async find(id) {
      const row = await selectEvent.first(on, { id, organizationId });
      return row ? eventOf(row) : null;
    },
  },
  replays: {
    async insert({ id, attemptId, eventId, reason, requestedBy, requestedAt }) {
      const row = {
        id,
        organization_id: organizationId,
        attempt_id: attemptId,
        event_id: eventId,
        reason: reason === null ? null : JSON.stringify(reason),
        requested_by: requestedBy,
        requested_at: requestedAt,
      };
      await insertReplays.run(on, { rows: [row] });
    },
  },
});
