import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { eventTypes } from "../../../generated/events.ts";
import type { Tables } from "../tables.ts";
import { noStatus } from "../webhook-rows.ts";
import { every } from "./attempt-counts-migration.ts";
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

/** A condition that attempts of one group meet, and no others. */
export type AttemptGroup = RawBuilder<SqlBool>;

/** The groups that make up what the filters let pass, time aside. */
export async function attemptGroups(
  db: Kysely<Tables>,
  organizationId: string,
  filters: AttemptFilters,
): Promise<readonly AttemptGroup[]> {
  if (!asksBeyondTime(filters)) return [groupOf(organizationId, filters)];
  const { rows } = await sql<CountedGroup>`
    select event_type as type, outcome, response_status as status from attempt_counts
    where ${countedGroups(organizationId, filters)} and period = ${every.period} and starts_at = 0`.execute(db);
  return rows.map((group) => groupOf(organizationId, filters, group));
}

interface CountedGroup {
  /** `every.type` where the group is of all types. */
  readonly type: string;
  readonly outcome: string;
  readonly status: number;
}

function groupOf(organizationId: string, { endpointId }: AttemptFilters, group?: CountedGroup): AttemptGroup {
  const conditions = [sql<SqlBool>`organization_id = ${organizationId}`];
  if (endpointId !== undefined) conditions.push(sql`endpoint_id = ${endpointId}`);
  if (group !== undefined && group.type !== every.type) conditions.push(sql`event_type = ${group.type}`);
  if (group !== undefined) conditions.push(sql`outcome = ${group.outcome} and response_status = ${group.status}`);
  return sql`${sql.join(conditions, sql` and `)}`;
}

/** Of the counts, those of the groups that an index finds; whoever asks adds the period. */
export function countedGroups(organizationId: string, filters: AttemptFilters): RawBuilder<SqlBool> {
  const { endpointId, eventType } = filters;
  const all = endpointId === undefined ? [every.type] : eventTypes;
  const types = eventType === undefined ? all : [eventType];
  return sql`organization_id = ${organizationId} and endpoint_id = ${endpointId ?? every.endpoint}
    and event_type in (${sql.join(types)}) and ${resultsAsked(filters)}`;
}

export const asksBeyondTime = ({ endpointId, eventType, ...filters }: AttemptFilters): boolean =>
  endpointId !== undefined || eventType !== undefined || asksForResults(filters);

const asksForResults = ({ outcome, statusMin, statusMax }: AttemptFilters): boolean =>
  [outcome, statusMin, statusMax].some((asked) => asked !== undefined);

const greatestStatus = 0x7fffffff;

/** What is asked of outcome and status. Where nobody answered the status is one that lies below every range. */
export function resultsAsked(filters: AttemptFilters): RawBuilder<SqlBool> {
  const { outcome, statusMin, statusMax, unanswered } = filters;
  const conditions: RawBuilder<SqlBool>[] = [];
  if (outcome !== undefined) conditions.push(sql`outcome = ${outcome}`);
  if (statusMin !== undefined || statusMax !== undefined) {
    const range = sql<SqlBool>`response_status between ${statusMin ?? noStatus + 1} and ${statusMax ?? greatestStatus}`;
    conditions.push(unanswered === "kept" ? sql`(response_status = ${noStatus} or ${range})` : range);
  }
  return conditions.length === 0 ? sql`1 = 1` : sql`${sql.join(conditions, sql` and `)}`;
}
