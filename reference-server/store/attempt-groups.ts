import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { eventTypes } from "../../generated/events.ts";
import type { Tables } from "./tables.ts";
import { noStatus, outcomes } from "./webhook-rows.ts";
import type { AttemptFilters } from "./webhook-store.ts";

/*
 * An index gives the newest of those attempts that are equal in all its columns before the time, and it takes the same
 * whatever the size of the table. Pages and counts are therefore put together from groups of attempts that are equal in what an
 * index begins with:
 * - of an endpoint, those of one event type, outcome and status;
 * - of an event type, those of one outcome and status;
 * - of the organization, those of one outcome and status; or all of them, where nothing but time is asked about.
 * How many groups there are depends on the answers that receivers give, not on how many attempts there were.
 */

/** A condition that attempts of one group meet, and no others. */
export type AttemptGroup = RawBuilder<SqlBool>;

/** The groups that make up what the filters let pass, time aside. */
export async function attemptGroups(
  db: Kysely<Tables>,
  organizationId: string,
  filters: AttemptFilters,
): Promise<readonly AttemptGroup[]> {
  const { endpointId, eventType } = filters;
  const ofOrganization = sql<SqlBool>`organization_id = ${organizationId}`;
  if (!asksBeyondTime(filters)) return [ofOrganization];
  const ofEndpoint = sql<SqlBool>`${ofOrganization} and endpoint_id = ${endpointId}`;
  const owned = endpointId === undefined ? ofOrganization : ofEndpoint;
  const ofType = (type: unknown) => sql<SqlBool>`${owned} and event_type = ${type}`;
  if (endpointId === undefined && eventType === undefined) {
    const results = await resultsIn(db, () => owned, [""], filters);
    return results.map((result) => sql`${owned} and ${equal(result)}`);
  }
  const types = eventType === undefined ? eventTypes : [eventType];
  const results = await resultsIn(db, ofType, types, filters);
  return results.map((result) => sql`${ofType(result.type)} and ${equal(result)}`);
}

const asksBeyondTime = ({ endpointId, eventType, outcome, statusMin, statusMax }: AttemptFilters): boolean =>
  [endpointId, eventType, outcome, statusMin, statusMax].some((asked) => asked !== undefined);

const greatestStatus = 0x7fffffff;

/** Statuses to look for: a range, and perhaps `noStatus`, which lies below every range. */
function statusBounds({ statusMin, statusMax, unanswered }: AttemptFilters) {
  const isBound = statusMin !== undefined || statusMax !== undefined;
  return {
    min: statusMin ?? noStatus + 1,
    max: statusMax ?? greatestStatus,
    unanswered: !isBound || unanswered === "kept",
  };
}

interface AttemptResult {
  readonly type: string;
  readonly outcome: string;
  readonly status: number;
}

const equal = ({ outcome, status }: AttemptResult) =>
  sql<SqlBool>`outcome = ${outcome} and response_status = ${status}`;

/** The outcomes and statuses that attempts of these types have, as far as the filters let them pass. */
async function resultsIn(
  db: Kysely<Tables>,
  ofType: (type: unknown) => RawBuilder<SqlBool>,
  types: readonly string[],
  filters: AttemptFilters,
): Promise<readonly AttemptResult[]> {
  const { min, max, unanswered } = statusBounds(filters);
  const wanted = filters.outcome === undefined ? outcomes : [filters.outcome];
  const kinds = types.flatMap((type) => wanted.map((outcome) => sql`(${type}, ${outcome})`));
  // The next status in the index: one look-up, however many attempts have the one before.
  const next = (of: string, condition: RawBuilder<SqlBool>) => sql`(
    select response_status from delivery_attempts
    where ${ofType(sql.ref(`${of}.type`))} and outcome = ${sql.ref(`${of}.outcome`)} and ${condition}
    order by response_status limit 1)`;
  const { rows } = await sql<AttemptResult>`
    with recursive
      kinds (type, outcome) as (values ${sql.join(kinds)}),
      results (type, outcome, status) as (
        select type, outcome, ${next("kinds", sql`response_status >= ${unanswered ? noStatus : min}`)} from kinds
        union all
        select type, outcome, ${next("results", sql`response_status > results.status`)} from results
        where status < ${max})
    select type, outcome, status from results where status <= ${max}`.execute(db);
  return rows.filter(({ status }) => status >= min || status === noStatus);
}
