import type { Choices } from "../../generated/choices.ts";
import { bounds } from "../../generated/limits.ts";
import { Refusal } from "../../generated/runtime/refusal.ts";
import type { DeliveriesHandlers } from "../../generated/server/deliveries.ts";
import { timestamp } from "../domain/clock.ts";
import { emptyRanges, feedFilters, feedPage, feedScope } from "../domain/deliveries/delivery-feed.ts";
import { feedCursor } from "../domain/deliveries/feed-cursor.ts";
import { eventAgain, replayable } from "../domain/deliveries/replay.ts";
import { endpointNotFound } from "../domain/endpoints/new-endpoint.ts";
import { newEventId } from "../domain/events/new-event.ts";
import { retainedAt } from "../domain/events/retention.ts";
import { type Caller, callerTime } from "../domain/organizations/caller.ts";
import type { World } from "../domain/world.ts";
import { refuseFields } from "../http/refuse-fields.ts";
import type { Store } from "../store/store.ts";
import { pageCursors } from "./page-cursors.ts";
import { wireAttempt } from "./wire-attempt.ts";

export interface DeliveriesParts {
  readonly store: Store;
  readonly world: World;
  readonly choices: Choices;
}

export function deliveriesHandlers({ store, world, choices }: DeliveriesParts): DeliveriesHandlers<Caller> {
  const precision = choices.timestampPrecision;
  const { webhooks } = store;
  const cursors = pageCursors({ store, world, choices }, feedCursor);

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
      const { limit = bounds.deliveryPageDefault } = query;
      const filters = feedFilters(query);
      const scope = feedScope(organizationId, filters);
      const from = await cursors.read(query.cursor, scope);
      if (from instanceof Refusal) return from;
      if (!(await isKnown(organizationId, filters.endpointId))) return endpointNotFound();
      const unanswered = choices.unansweredInStatusRange;
      const total = choices.pageTotal === "all" ? "all" : "matching";
      // One more tells whether there is a further page.
      const page = { before: from, limit: limit + 1, total } as const;
      const found = await webhooks.attempts(organizationId, { ...filters, unanswered }, page);
      const offset = from?.offset ?? 0;
      const { attempts, next } = feedPage(found.attempts, limit, offset);
      const nextCursor = await cursors.write(next, scope);
      return {
        data: attempts.map((attempt) => wireAttempt(attempt, choices)),
        meta: { total: found.total, limit, offset, ...nextCursor },
      };
    },

    async replayDelivery({ path, body }, caller) {
      const now = callerTime(caller, world.now());
      const [auditId, eventId] = [world.newId(), newEventId(world)];
      const { eventsBefore } = retainedAt(now, choices);
      return store.atomically(caller.organization.id, async (tx) => {
        const attempt = await tx.attempts.find(path.id);
        const endpoint = attempt && (await tx.endpoints.find(attempt.endpointId));
        const event = attempt && (await tx.events.find(attempt.eventId));
        const found = replayable({ attempt, endpoint, event }, eventsBefore);
        if (found instanceof Refusal) return found;
        const again = eventAgain(found.event, eventId, now);
        await tx.enqueue(again, { endpointId: found.attempt.endpointId });
        await tx.replays.insert({
          id: auditId,
          attemptId: found.attempt.id,
          eventId,
          reason: body?.reason ?? null,
          requestedBy: caller.id,
          requestedAt: now,
        });
        return {
          delivery_id: found.attempt.id,
          endpoint_id: found.attempt.endpointId,
          event_type: again.type,
          new_event_id: eventId,
          audit_log_id: auditId,
          enqueued_at: timestamp(now, precision),
        };
      });
    },
  };
}
