import { type RawBuilder, type SqlBool, sql } from "kysely";
import { noStatus } from "./webhook-rows.ts";
import type { AttemptFilters } from "./webhook-store.ts";

/** Statuses to look for: a range, and perhaps `noStatus`, which lies below every range. */
export interface StatusBounds {
  readonly min: number;
  readonly max: number;
  readonly unanswered: boolean;
}

const greatestStatus = 0x7fffffff;

export function statusBounds({ statusMin, statusMax, unanswered }: AttemptFilters): StatusBounds {
  const isBound = statusMin !== undefined || statusMax !== undefined;
  return {
    min: statusMin ?? noStatus + 1,
    max: statusMax ?? greatestStatus,
    unanswered: !isBound || unanswered === "kept",
  };
}

/** All attempts of an organization that the filters let pass. */
export function passing(organizationId: string, filters: AttemptFilters): RawBuilder<SqlBool> {
  const { endpointId, eventType, outcome, since, until } = filters;
  const { min, max, unanswered } = statusBounds(filters);
  const conditions = [sql<SqlBool>`organization_id = ${organizationId}`];
  if (endpointId !== undefined) conditions.push(sql`endpoint_id = ${endpointId}`);
  if (eventType !== undefined) conditions.push(sql`event_type = ${eventType}`);
  if (outcome !== undefined) conditions.push(sql`outcome = ${outcome}`);
  if (since !== undefined) conditions.push(sql`occurred_at >= ${since}`);
  if (until !== undefined) conditions.push(sql`occurred_at <= ${until}`);
  const inRange = sql<SqlBool>`response_status between ${min} and ${max}`;
  if (!unanswered) conditions.push(inRange);
  else if (filters.statusMin !== undefined || filters.statusMax !== undefined)
    conditions.push(sql`(response_status = ${noStatus} or ${inRange})`);
  return sql.join(conditions, sql` and `);
}
