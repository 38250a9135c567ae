import { sql } from "kysely";
import type { Connection, Given } from "../engine/statement.ts";
import { perShape, statement } from "../engine/statement.ts";
import {
  type Asked,
  askedFor,
  attemptsOfGroup,
  countedGroups,
  resultsAsked,
  type Shape,
  shapeOf,
} from "./attempt-groups.ts";
import { type Edge, type PeriodRun, timePieces } from "./time-pieces.ts";
import type { AttemptFilters } from "./webhook-store.ts";

/**
 * How many attempts the filters let pass. Every filter is answered from the counts that the database keeps; only the
 * two ends of a time range that are no whole period are counted in an index, which takes no more than what was
 * attempted in the shortest period.
 */
export async function countAttempts(on: Connection, organizationId: string, filters: AttemptFilters): Promise<number> {
  const pieces = timePieces(filters.since, filters.until);
  const counted = await countOf(shapeOf(filters)).first(on, { ...askedFor(organizationId, filters), ...pieces });
  if (counted === undefined) throw new Error("The database counts nothing.");
  return counted.total;
}

interface Counted extends Asked {
  readonly runs: readonly PeriodRun[];
  readonly edges: readonly Edge[];
}

const countOf = perShape((shape: Shape) =>
  statement((_, given: Given<Counted>, engine) => {
    const runs = engine.records(given("runs"), { period: "bigint", from: "bigint", before: "bigint" });
    const edge = { from: "bigint", before: "bigint", period: "bigint", startsAt: "bigint" } as const;
    const edges = engine.records(given("edges"), edge);
    const atEdge = sql`occurred_at >= edges."from" and occurred_at < edges.before`;
    const inRun = sql`(
      select sum(attempts) from attempt_counts
      where organization_id = ${given("organizationId")} and endpoint_id = ${given("endpointId")}
        and event_type = ${given("type")} and period = runs.period
        and starts_at >= runs."from" and starts_at < runs.before and ${resultsAsked(shape, given)})`;
    const all = sql`(
      select count(*) from delivery_attempts where organization_id = ${given("organizationId")} and ${atEdge})`;
    // Of each group that has attempts in the edge's period, for each of which an index knows the time.
    const ofGroups = sql`(
      select sum(attempts_at_edge) from (
        select (
          select count(*) from delivery_attempts where ${attemptsOfGroup(shape, given)} and ${atEdge}
        ) as attempts_at_edge
        from attempt_counts
        where ${countedGroups(shape, given, engine)}
          and period = edges.period and starts_at = edges."startsAt") as in_groups)`;
    return sql<{ readonly total: number }>`
      select cast(coalesce(sum(attempts), 0) as bigint) as total from (
        select ${inRun} as attempts from ${runs} as runs
        union all
        select ${shape === "" ? all : ofGroups} as attempts from ${edges} as edges) as counts`;
  }),
);
