import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Tables } from "../tables.ts";
import { every } from "./attempt-counts-migration.ts";
import { asksBeyondTime, countedGroups, resultsAsked } from "./attempt-groups.ts";
import { type Edge, type PeriodRun, timePieces } from "./time-pieces.ts";
import type { AttemptFilters } from "./webhook-store.ts";

/**
 * How many attempts the filters let pass. Every filter is answered from the counts that the database keeps; only the
 * two ends of a time range that are no whole period are counted in an index, which takes no more than what was
 * attempted in the shortest period.
 */
export async function countAttempts(
  db: Kysely<Tables>,
  organizationId: string,
  filters: AttemptFilters,
): Promise<number> {
  const { runs, edges } = timePieces(filters.since, filters.until);
  const counts = [
    ...runs.map((run) => countedIn(run, organizationId, filters)),
    ...edges.map((edge) =>
      asksBeyondTime(filters) ? groupsWithin(edge, organizationId, filters) : allWithin(edge, organizationId),
    ),
  ];
  if (counts.length === 0) return 0;
  const { rows } = await sql<{ readonly total: number }>`
    select cast(coalesce(sum(attempts), 0) as bigint) as total from (${sql.join(counts, sql` union all `)}) as counts`.execute(
    db,
  );
  const [only] = rows;
  if (only === undefined) throw new Error("The database counts nothing.");
  return only.total;
}

type Counts = RawBuilder<{ readonly attempts: number }>;

const countedIn = ({ period, from, before }: PeriodRun, organizationId: string, filters: AttemptFilters): Counts => sql`
  select attempts from attempt_counts
  where organization_id = ${organizationId} and endpoint_id = ${filters.endpointId ?? every.endpoint}
    and event_type = ${filters.eventType ?? every.type} and period = ${period}
    and starts_at >= ${from} and starts_at < ${before} and ${resultsAsked(filters)}`;

const allWithin = ({ from, before }: Edge, organizationId: string): Counts => sql`
  select count(*) as attempts from delivery_attempts
  where organization_id = ${organizationId} and occurred_at >= ${from} and occurred_at < ${before}`;

/** Of each group that has attempts in the edge's period, for each of which an index knows the time. */
function groupsWithin(
  { from, before, period, startsAt }: Edge,
  organizationId: string,
  filters: AttemptFilters,
): Counts {
  const { endpointId, eventType } = filters;
  const ofEndpoint = endpointId === undefined ? sql`` : sql`and endpoint_id = ${endpointId}`;
  const ofType =
    endpointId === undefined && eventType === undefined ? sql`` : sql`and event_type = attempt_counts.event_type`;
  return sql`
    select (
      select count(*) from delivery_attempts
      where organization_id = ${organizationId} ${ofEndpoint} ${ofType}
        and outcome = attempt_counts.outcome and response_status = attempt_counts.response_status
        and occurred_at >= ${from} and occurred_at < ${before}) as attempts
    from attempt_counts
    where ${countedGroups(organizationId, filters)} and period = ${period} and starts_at = ${startsAt}`;
}
