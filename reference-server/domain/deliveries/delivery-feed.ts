import type { Choices } from "../../../generated/choices.ts";
import type { ListDeliveryAttemptsInput } from "../../../generated/inputs/deliveries.ts";
import { millisecondFrom, millisecondUpTo } from "../instant.ts";
import type { DeliveryAttempt } from "./delivery.ts";
import type { FeedPosition, FeedScope } from "./feed-cursor.ts";

type Query = ListDeliveryAttemptsInput["query"];

/** Which attempts a page shows; instants are milliseconds since 1970. What is not asked for is undefined. */
export interface FeedFilters {
  readonly endpointId: Query["endpoint_id"];
  readonly eventType: Query["event_type"];
  readonly outcome: Query["outcome"];
  /** Both instants belong to the range, and so do both bounds of the status. */
  readonly since: number | undefined;
  readonly until: number | undefined;
  readonly statusMin: Query["http_status_min"];
  readonly statusMax: Query["http_status_max"];
}

export const feedFilters = (query: Query): FeedFilters => ({
  endpointId: query.endpoint_id,
  eventType: query.event_type,
  outcome: query.outcome,
  since: query.since === undefined ? undefined : millisecondFrom(query.since),
  until: query.until === undefined ? undefined : millisecondUpTo(query.until),
  statusMin: query.http_status_min,
  statusMax: query.http_status_max,
});

/** Ranges that hold nothing, whatever there is: the fields at fault, and what is wanted of them. */
export function emptyRanges(query: Query, choices: Pick<Choices, "sinceAfterUntil">) {
  const { http_status_min: min, http_status_max: max, since, until } = query;
  const statusFaults =
    min === undefined || max === undefined || min <= max
      ? []
      : [
          { pointer: "/http_status_max", says: "must not be less than http_status_min" },
          { pointer: "/http_status_min", says: "must not be greater than http_status_max" },
        ];
  const isOrdered = since === undefined || until === undefined || millisecondUpTo(since) <= millisecondUpTo(until);
  const isLawful = isOrdered || choices.sinceAfterUntil === "empty";
  return [...statusFaults, ...(isLawful ? [] : [{ pointer: "/until", says: "must not lie before since" }])];
}

/** What a cursor of this list is good for. Its size is no part of it: the next page may be larger or smaller. */
export const feedScope = (organizationId: string, filters: FeedFilters): FeedScope => ({
  organizationId,
  filters: Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, value ?? null])),
});

export interface FeedPage {
  readonly attempts: readonly DeliveryAttempt[];
  /** Where the next page begins; null when this is the last one. */
  readonly next: FeedPosition | null;
}

/** The page that begins at `offset`, out of its attempts and, where there is a further one, that one. */
export function feedPage(found: readonly DeliveryAttempt[], limit: number, offset: number): FeedPage {
  const attempts = found.slice(0, limit);
  const last = attempts.at(-1);
  if (last === undefined || found.length <= limit) return { attempts, next: null };
  return { attempts, next: { occurredAt: last.occurredAt, id: last.id, offset: offset + attempts.length } };
}
