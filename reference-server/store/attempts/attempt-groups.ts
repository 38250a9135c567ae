import { type RawBuilder, type SqlBool, sql } from "kysely";
import { eventTypes } from "../../../generated/events.ts";
import type { Engine } from "../engine/engine.ts";
import type { Given } from "../engine/statement.ts";
import { every } from "../migrations/0005-attempt-counts.ts";
import { noStatus } from "../webhook-rows.ts";
import type { AttemptFilters } from "./webhook-store.ts";

/*
 * An index gives the newest of those attempts that are equal in all its columns before the time, and it takes the same
 * whatever the size of the table. Pages are therefore put together from groups of attempts that are equal in what an
 * index begins with:
 * - of an endpoint, those of one event type, outcome and status;
 * - of an event type, those of one outcome and status;
 * - of the organization, those of one outcome and status; or all of them, where nothing but time is asked about.
 * How many groups there are depends on the answers that receivers give, not on how many attempts there were. Which ones
 * there are is known from the counts of attempts.
 */

/** What a statement asks about: all that its text depends on, as words. What is asked for are its parameters. */
export type Shape = string;

export const shapeOf = ({ endpointId, eventType, outcome, statusMin, statusMax, unanswered }: AttemptFilters): Shape =>
  [
    endpointId !== undefined && "endpoint",
    eventType !== undefined && "type",
    outcome !== undefined && "outcome",
    (statusMin !== undefined || statusMax !== undefined) && `status-${unanswered}`,
  ]
    .filter((word) => word !== false)
    .join(" ");

export const asksAbout = (shape: Shape, word: string): boolean => shape.split(" ").includes(word);

/** The parameters of any shape; those that its statement does not have stand for nothing. */
export interface Asked {
  readonly organizationId: string;
  readonly endpointId: string;
  readonly type: string;
  /** Types of the groups that an index finds. */
  readonly types: readonly string[];
  readonly outcome: string;
  readonly statusMin: number;
  readonly statusMax: number;
}

const greatestStatus = 0x7fffffff;

export function askedFor(organizationId: string, filters: AttemptFilters): Asked {
  const { endpointId, eventType, outcome = "", statusMin = noStatus + 1, statusMax = greatestStatus } = filters;
  const all = endpointId === undefined ? [every.type] : eventTypes;
  return {
    organizationId,
    endpointId: endpointId ?? every.endpoint,
    type: eventType ?? every.type,
    types: eventType === undefined ? all : [eventType],
    outcome,
    statusMin,
    statusMax,
  };
}

/** Of the counts, those of the groups that an index finds; whoever asks adds the period. */
export const countedGroups = (shape: Shape, given: Given<Asked>, { isOneOf }: Engine): RawBuilder<SqlBool> => sql`
  organization_id = ${given("organizationId")} and endpoint_id = ${given("endpointId")}
  and ${isOneOf("event_type", given("types"))} and ${resultsAsked(shape, given)}`;

/** The attempts of the group that a row of counts is about. */
export function attemptsOfGroup(shape: Shape, given: Given<Asked>): RawBuilder<SqlBool> {
  const ofEndpoint = asksAbout(shape, "endpoint");
  return sql`organization_id = ${given("organizationId")}
    ${ofEndpoint ? sql`and endpoint_id = ${given("endpointId")}` : sql``}
    ${ofEndpoint || asksAbout(shape, "type") ? sql`and event_type = attempt_counts.event_type` : sql``}
    and outcome = attempt_counts.outcome and response_status = attempt_counts.response_status`;
}

/** What is asked of outcome and status. Where nobody answered the status is one that lies below every range. */
export function resultsAsked(shape: Shape, given: Given<Asked>): RawBuilder<SqlBool> {
  const conditions: RawBuilder<SqlBool>[] = [sql`1 = 1`];
  if (asksAbout(shape, "outcome")) conditions.push(sql`outcome = ${given("outcome")}`);
  const range = sql<SqlBool>`response_status between ${given("statusMin")} and ${given("statusMax")}`;
  if (asksAbout(shape, "status-left-out")) conditions.push(range);
  if (asksAbout(shape, "status-kept")) conditions.push(sql`(response_status = ${sql.lit(noStatus)} or ${range})`);
  return sql`${sql.join(conditions, sql` and `)}`;
}
