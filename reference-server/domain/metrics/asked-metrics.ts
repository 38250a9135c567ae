import { refuse } from "../../../generated/error-rows.ts";
import type { GetLookupMetricsInput } from "../../../generated/inputs/metrics.ts";
import { bounds } from "../../../generated/limits.ts";
import type { CursorForm } from "../deliveries/feed-cursor.ts";
import { millisecondFrom, millisecondUpTo } from "../instant.ts";
import { isTimezone } from "../profiles/profile.ts";
import {
  aboutLength,
  type Granularity,
  granularities,
  isGranularity,
  type TimeBuckets,
  timeBuckets,
  type Window,
} from "../time-buckets.ts";

/** Parameters of a request for metrics. */
export type MetricsQuery = GetLookupMetricsInput["query"];

/** What was asked for, whole. */
export interface AskedMetrics extends Window {
  readonly granularity: Granularity;
  /** IANA zone by whose clock buckets begin. */
  readonly zone: string;
  readonly limit: number;
}

/** A parameter that is not as it should be. */
interface Fault {
  readonly pointer: string;
  readonly says: string;
}

/** Buckets of a window that nobody gave a beginning. */
const usualBuckets = 30;

/** What the parameters ask for at this time of the organization, or what is wrong with them. */
export function askedMetrics(query: MetricsQuery, now: number): AskedMetrics | readonly Fault[] {
  const { granularity = "day", timezone: zone = "Etc/UTC", limit = bounds.deliveryPageDefault } = query;
  const before = query.to === undefined ? now + 1 : millisecondFrom(query.to);
  const length = isGranularity(granularity) ? aboutLength(granularity) : 0;
  const from = query.from === undefined ? before - usualBuckets * length : millisecondUpTo(query.from);
  const faults: Fault[] = [];
  if (!isGranularity(granularity))
    faults.push({ pointer: "/granularity", says: `must be one of ${granularities.join(", ")}` });
  if (!isTimezone(zone)) faults.push({ pointer: "/timezone", says: "must be a name of the IANA database" });
  if (limit > bounds.deliveryPageMax)
    faults.push({ pointer: "/limit", says: `must be at most ${bounds.deliveryPageMax}` });
  if (length > 0 && from >= before) faults.push({ pointer: "/to", says: "must be later than from" });
  if (from < earliestFrom) faults.push({ pointer: "/from", says: "must not lie before the first year" });
  return isGranularity(granularity) && faults.length === 0 ? { from, before, granularity, zone, limit } : faults;
}

/** A month later than what a timestamp can tell, so that it can tell the beginning of every bucket. */
const earliestFrom = Date.parse("0000-02-02T00:00:00Z");

/** Null when the plan allows the granularity. */
export const refuseGranularity = (granularity: Granularity, finest: Granularity) =>
  granularities.indexOf(granularity) >= granularities.indexOf(finest)
    ? null
    : refuse.GranularityNotAvailable(`The plan allows no granularity finer than ${finest}.`, {
        max_granularity: finest,
      });

/** The buckets of what was asked for; a refusal where they are too many. */
export function allowedBuckets(asked: AskedMetrics): TimeBuckets | ReturnType<typeof tooLarge> {
  const { granularity, zone } = asked;
  // How often clocks are put in thousands of years need not be known to see that the window is too large.
  const about = Math.ceil((asked.before - asked.from) / aboutLength(granularity));
  if (about > 2 * bounds.metricsWindowBuckets) return tooLarge(about);
  const buckets = timeBuckets(asked, granularity, zone);
  return buckets.count > bounds.metricsWindowBuckets ? tooLarge(buckets.count) : buckets;
}

const tooLarge = (count: number) =>
  refuse.WindowTooLarge(`A window holds at most ${bounds.metricsWindowBuckets} buckets.`, {
    bucket_count: String(count),
    max_buckets: String(bounds.metricsWindowBuckets),
  });

export const metricNotAvailable = () =>
  refuse.MetricNotAvailable("The organization has not run any lookup yet, so that there is nothing to show.");

export const parametersChanged = () =>
  refuse.CursorParametersChanged("A next page is asked for with the parameters of the page before it.");

/** Where a page of metrics begins. */
export interface MetricsPosition extends Window {
  /** What the first page was asked for with. */
  readonly parameters: string;
  /** Of the page's first bucket in the window. */
  readonly index: number;
}

/** The parameters that all pages have in common, as one text. */
export const parametersOf = ({ from, to, granularity, timezone, limit }: MetricsQuery): string =>
  JSON.stringify([from, to, granularity, timezone, limit]);

/** The cursors of metrics: pages follow each other in one window, though its end may be the present. */
export const metricsCursor: CursorForm<MetricsPosition> = {
  write: ({ parameters, from, before, index }) => [parameters, from, before, index],
  read(held) {
    if (!Array.isArray(held)) return null;
    const [parameters, from, before, index]: readonly unknown[] = held;
    if (typeof parameters !== "string" || typeof index !== "number") return null;
    return typeof from === "number" && typeof before === "number" ? { parameters, from, before, index } : null;
  },
};
