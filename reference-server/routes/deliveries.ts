import type { Choices } from "../../generated/choices.ts";
import { refuse } from "../../generated/error-rows.ts";
import { bounds } from "../../generated/limits.ts";
import type * as wire from "../../generated/models/deliveries.ts";
import type { DeliveriesHandlers } from "../../generated/server/deliveries.ts";
import { type Caller, callerTime } from "../domain/caller.ts";
import { timestamp } from "../domain/clock.ts";
import { emptyRanges, feedFilters, feedPage, feedScope } from "../domain/delivery-feed.ts";
import { readCursor, writeCursor } from "../domain/feed-cursor.ts";
import { endpointNotFound } from "../domain/new-endpoint.ts";
import { newEventId } from "../domain/new-event.ts";
import { refuseReplay } from "../domain/replay.ts";
import { retainedAt } from "../domain/retention.ts";
import type { World } from "../domain/world.ts";
import { fieldDetails } from "../http/field-details.ts";
import { refuseFields } from "../http/refuse-fields.ts";
import type { Store } from "../store/store.ts";
import { wireAttempt } from "./wire-attempt.ts";

export interface DeliveriesParts {
  readonly store: Store;
  readonly world: World;
  readonly choices: Choices;
}

const cursorKeyBytes = 32;

export function deliveriesHandlers({ store, world, choices }: DeliveriesParts): DeliveriesHandlers<Caller> {
  const precision = choices.timestampPrecision;
  const { webhooks } = store;
  let key: Uint8Array | null = null;
  const cursorKey = async () => {
    key ??= await webhooks.cursorKey(world.randomBytes(cursorKeyBytes));
    return key;
  };

  /** Where an unknown endpoint is but a filter that nothing meets, every one passes. */
  const isKnown = async (organizationId: string, endpointId: string | undefined) =>
    endpointId === undefined ||
    choices.unknownEndpointFilter === "empty" ||
    webhooks.endpointExists(organizationId, endpointId);

  return {
    async listDeliveryAttempts({ query }, caller) {
      const faults = emptyRanges(query, choices);
      if (faults.length > 0) return refuseFields(faults, choices);
      const { id: organizationId } = caller.organization;
      const { cursor, limit = bounds.deliveryPageDefault } = query;
      const filters = feedFilters(query);
      const scope = feedScope(organizationId, filters);
      const from = cursor === undefined ? null : readCursor(cursor, scope, await cursorKey());
      if (cursor !== undefined && from === null) return badCursor(choices);
      if (!(await isKnown(organizationId, filters.endpointId))) return endpointNotFound();
      const unanswered = choices.unansweredInStatusRange;
      const [found, total] = await Promise.all([
        // One more tells whether there is a further page.
        webhooks.attempts(organizationId, { ...filters, unanswered }, { before: from, limit: limit + 1 }),
        webhooks.countAttempts(
          organizationId,
          choices.pageTotal === "all" ? { unanswered } : { ...filters, unanswered },
        ),
      ]);
      const offset = from?.offset ?? 0;
      const { attempts, next } = feedPage(found, limit, offset);
      const nextCursor =
        next === null ? lastCursor(choices) : { next_cursor: writeCursor(next, scope, await cursorKey()) };
      return {
        data: attempts.map((attempt) => wireAttempt(attempt, choices)),
        meta: { total, limit, offset, ...nextCursor },
      };
    },

    async replayDelivery({ path, body }, caller) {
      const now = callerTime(caller, world.now());
      const auditId = world.newId();
      const replayed = await webhooks.replay(caller.organization.id, path.id, {
        newEventId: newEventId(world),
        auditId,
        reason: body?.reason ?? null,
        by: caller.id,
        now,
        retainedSince: retainedAt(now, choices).eventsBefore,
      });
      if (replayed.kind !== "replayed") return refuseReplay(replayed.kind);
      const { attempt, event } = replayed;
      return {
        delivery_id: attempt.id,
        endpoint_id: attempt.endpointId,
        event_type: event.type,
        new_event_id: event.id,
        audit_log_id: auditId,
        enqueued_at: timestamp(event.createdAt, precision),
      };
    },
  };
}

function badCursor(choices: Choices) {
  const message = "The cursor was not made by this list with these filters. Begin again without one.";
  const details = fieldDetails(
    [{ pointer: "/cursor", says: "must be the next_cursor of a page with equal filters" }],
    choices,
  );
  switch (choices.badCursor) {
    case "ValidationFailed":
      return refuse.ValidationFailed(message, details);
    case "ValidationFailed400":
      return refuse.ValidationFailed400(message, details);
    case "InvalidInput":
      return refuse.InvalidInput(message);
  }
}

/** What tells that there is no further page. */
function lastCursor(choices: Choices): Pick<wire.PageMeta, "next_cursor"> {
  switch (choices.lastCursor) {
    case "absent":
      return {};
    case "null":
      return { next_cursor: null };
    case "empty":
      return { next_cursor: "" };
  }
}
