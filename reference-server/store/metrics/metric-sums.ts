import { sql } from "kysely";
import type { Window } from "../../domain/time-buckets.ts";
import { cut, type PeriodRun } from "../attempts/time-pieces.ts";
import { type Connection, type Given, statement } from "../engine/statement.ts";
import { metricPeriods } from "../migrations/0052-metric-sums.ts";

/** What is summed up: lookups that were made. */
export type Metric = "lookups";

interface Asked {
  readonly organizationId: string;
  readonly metric: Metric;
}

/** Whole periods of one length that follow each other, in one of the windows. */
interface Part extends PeriodRun {
  readonly window: number;
}

const selectAny = statement((db, given: Given<Asked>) =>
  db
    .selectFrom("metric_sums")
    .select("starts_at")
    .where("organization_id", "=", given("organizationId"))
    .where("metric", "=", given("metric"))
    .limit(1),
);

const selectSums = statement((_, given: Given<Asked & { readonly parts: readonly Part[] }>, engine) => {
  const columns = { window: "bigint", period: "bigint", from: "bigint", before: "bigint" } as const;
  return sql<{ readonly window: number; readonly amount: number }>`
    select parts."window", cast(sum(metric_sums.amount) as bigint) as amount
    from ${engine.records(given("parts"), columns)} as parts
    join metric_sums on metric_sums.organization_id = ${given("organizationId")}
      and metric_sums.metric = ${given("metric")} and metric_sums.period = parts.period
      and metric_sums.starts_at >= parts."from" and metric_sums.starts_at < parts.before
    group by parts."window"`;
});

/** Whether there is anything to sum up. */
export const hasMetric = async (on: Connection, organizationId: string, metric: Metric): Promise<boolean> =>
  (await selectAny.first(on, { organizationId, metric })) !== undefined;

/** What a metric comes to in each window: by what the database has summed up, and never by counting records. */
export async function metricSums(
  on: Connection,
  organizationId: string,
  metric: Metric,
  windows: readonly Window[],
): Promise<readonly number[]> {
  const parts = windows.flatMap(({ from, before }, window) =>
    cut({ from: wholeMinute(from), before: wholeMinute(before) }, metricPeriods).runs.map((run) => ({
      ...run,
      window,
    })),
  );
  const rows = await selectSums.rows(on, { organizationId, metric, parts });
  const sums = new Map(rows.map(({ window, amount }) => [window, amount]));
  return windows.map((_, window) => sums.get(window) ?? 0);
}

/** Long ago days began at odd seconds. */
function wholeMinute(instant: number): number {
  const [, , minute] = metricPeriods;
  return Math.floor(instant / minute) * minute;
}
