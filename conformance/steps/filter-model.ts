import type { DeliveryAttempt } from "../../generated/models/deliveries.ts";
import { atPart, member, type Place } from "../evidence/place.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Attempt } from "./attempt.ts";
import type { FeedQuery } from "./feed.ts";

/** The member of a record that a filter looks at. */
const filteredMember: Readonly<Record<keyof Filters, keyof DeliveryAttempt>> = {
  endpointId: "endpoint_id",
  eventType: "event_type",
  outcome: "outcome",
  since: "occurred_at",
  until: "occurred_at",
  statusMin: "response_status",
  statusMax: "response_status",
};

/** Filters of the feed, but for cursor and limit. Instants in milliseconds since the epoch. */
export interface Filters {
  readonly endpointId?: string;
  readonly eventType?: string;
  readonly outcome?: string;
  readonly since?: number;
  readonly until?: number;
  readonly statusMin?: number;
  readonly statusMax?: number;
}

/** What filters do with an attempt, as far as the document says. */
export type Treatment = "kept" | "left out" | "open";

/** Milliseconds around an instant within which it is open what belongs to a range: times may be whole seconds. */
export const margin = 1_000;

/** What becomes of an attempt under filters that combine with AND. */
export function treatmentOf(attempt: Attempt, filters: Filters): Treatment {
  const { since, until, statusMin, statusMax } = filters;
  const { endpointId, eventType, outcome, status, at } = attempt;
  const all: readonly Treatment[] = [
    exactly(endpointId, filters.endpointId),
    exactly(eventType, filters.eventType),
    exactly(outcome, filters.outcome),
    since === undefined ? "kept" : about(at - since),
    until === undefined ? "kept" : about(until - at),
    ranging(status, statusMin, statusMax),
  ];
  if (all.includes("left out")) return "left out";
  return all.includes("open") ? "open" : "kept";
}

const exactly = (value: string, wanted: string | undefined): Treatment =>
  wanted === undefined || value === wanted ? "kept" : "left out";

const about = (beyond: number): Treatment => (Math.abs(beyond) < margin ? "open" : beyond > 0 ? "kept" : "left out");

/** Attempts without an answer may be kept or left out under a bound. */
function ranging(status: number | null, min: number | undefined, max: number | undefined): Treatment {
  if (min === undefined && max === undefined) return "kept";
  if (status === null) return "open";
  return status >= (min ?? status) && status <= (max ?? status) ? "kept" : "left out";
}

/** Those of several filters that leave an attempt out, each by itself. */
export const leavingOut = (attempt: Attempt, filters: Filters): Filters =>
  Object.fromEntries(
    Object.entries(filters).filter(([name, value]) => treatmentOf(attempt, { [name]: value }) === "left out"),
  );

/** Filters with one of them left out. */
export const without = (filters: Filters, name: string): Filters =>
  Object.fromEntries(Object.entries(filters).filter(([other]) => other !== name));

/** The filters as query parameters. */
export function queryOf({ endpointId, eventType, outcome, since, until, statusMin, statusMax }: Filters): FeedQuery {
  const instant = (at: number | undefined): string | undefined =>
    at === undefined ? undefined : new Date(at).toISOString();
  const all = {
    endpoint_id: endpointId,
    event_type: eventType,
    outcome,
    since: instant(since),
    until: instant(until),
    http_status_min: statusMin?.toString(),
    http_status_max: statusMax?.toString(),
  };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** Where a page shows, in its record at an index, what each of these filters leaves out. */
export const disobeyed = (page: Exchange, index: number, filters: Filters): readonly Place[] =>
  Object.entries(filters).flatMap(([name, value]) =>
    Object.entries(queryOf({ [name]: value })).map(([parameter, wanted]) =>
      atPart(page, member(`/data/${index}/${filteredMember[name as keyof Filters]}`), `${parameter} ${wanted}`),
    ),
  );
