import { refuse } from "../../../generated/error-rows.ts";
import { bounds } from "../../../generated/limits.ts";
import type { RuleId } from "../../../generated/rules.ts";
import type { Mutant } from "../edit.ts";
import { metaIn } from "../feed-pages.ts";
import { storing } from "../port-changes.ts";
import {
  dataOf,
  inPlaceOf,
  isRefusal,
  onAnswer,
  parsed,
  refusedWith,
  type Wire,
  type WireAnswer,
  type WireRequest,
  withBody,
} from "../wire.ts";
import { queryOf, withQuery } from "../wire-requests.ts";
import { mutant, mutantOf, wireMutant } from "./mutant.ts";

const id = "getLookupMetrics";
const most = bounds.metricsWindowBuckets;
const hour = 3_600_000;

type Row = Parameters<typeof isRefusal>[1];

/** The details of a refusal. */
const detailsIn = ({ bytes }: WireAnswer): Readonly<Record<string, string>> =>
  Object(Object(parsed(bytes)).error).details ?? {};

/** Changes the details of refusals of one row. */
const detailing = (row: Row, change: (details: Readonly<Record<string, string>>) => object): Wire =>
  onAnswer(id, (answer) => {
    if (!isRefusal(answer, row)) return answer;
    const { error, ...others } = Object(parsed(answer.bytes));
    return withBody(answer, { ...others, error: { ...error, details: change(detailsIn(answer)) } });
  });

/** Asks again with another query where metrics are refused with that row, and it is meant. */
const insteadOf =
  (row: Row, change: (request: WireRequest, answer: WireAnswer) => WireRequest | null): Wire =>
  (serve) =>
  async (request) => {
    const answer = await serve(request);
    if (request.operation !== id || !isRefusal(answer, row)) return answer;
    const other = change(request, answer);
    return other === null ? answer : serve(other);
  };

/** Refuses windows of that many buckets as too large. */
const tooLargeWhere = (isMeant: (buckets: number) => boolean): Wire =>
  onAnswer(id, (answer) => {
    const total = metaIn(answer)?.total ?? 0;
    const sizes = { bucket_count: String(total), max_buckets: String(most) };
    return answer.status < 300 && isMeant(total)
      ? refusedWith(answer, refuse.WindowTooLarge("Too large.", sizes))
      : answer;
  });

/** Takes a next page for one with the parameters of the page before, but for those that still have to be kept. */
const forgiving = (breaks: RuleId, name: string, forgiven: readonly string[]): Mutant =>
  wireMutant(breaks, name, `goes on with another ${forgiven.join(", or another ")}`, (serve) => {
    const asked = new Map<string, URLSearchParams>();
    return async (request) => {
      if (request.operation !== id) return serve(request);
      const query = queryOf(request);
      const first = asked.get(query.get("cursor") ?? "");
      const kept = Object.fromEntries(forgiven.map((one) => [one, first?.get(one) ?? undefined]));
      const answer = await serve(first === undefined ? request : withQuery(request, kept));
      const next = metaIn(answer)?.next_cursor;
      if (next) asked.set(next, query);
      return answer;
    };
  });

const zeros = (answer: WireAnswer): WireAnswer =>
  withBody({ ...answer, status: 200 }, { success: true, data: [], meta: { total: 0, limit: 50, offset: 0 } });

/** Sums up other windows than those of the buckets. */
const summing = (
  change: (window: { readonly from: number; readonly before: number }) => { from: number; before: number },
) =>
  storing((store) => ({
    metricSums: (organizationId, metric, windows) => store.metricSums(organizationId, metric, windows.map(change)),
  }));

/** Servers that show metrics in a wrong way. */
export const metricsMutants: readonly Mutant[] = [
  wireMutant(
    "MET-01",
    "any",
    "shows the finest that the plan allows where a finer one is asked for",
    insteadOf("GranularityNotAvailable", (request, answer) =>
      withQuery(request, { granularity: detailsIn(answer).max_granularity }),
    ),
  ),
  wireMutant(
    "MET-01",
    "hours",
    "shows hours to everybody, as days",
    insteadOf("GranularityNotAvailable", (request) =>
      queryOf(request).get("granularity") === "hour" ? withQuery(request, { granularity: "day" }) : null,
    ),
  ),
  wireMutant(
    "MET-01",
    "finer",
    "names a granularity that is too fine as well",
    detailing("GranularityNotAvailable", () => ({ max_granularity: "minute" })),
  ),
  wireMutant(
    "MET-01",
    "coarser",
    "names days where hours are allowed",
    detailing("GranularityNotAvailable", () => ({ max_granularity: "day" })),
  ),
  wireMutant(
    "MET-01",
    "strict",
    "refuses the finest granularity that the plan allows",
    onAnswer(id, (answer, request) =>
      answer.status < 300 && queryOf(request).get("granularity") === "hour"
        ? refusedWith(answer, refuse.GranularityNotAvailable("Too fine.", { max_granularity: "day" }))
        : answer,
    ),
  ),
  wireMutant(
    "MET-01",
    "invalid",
    "calls a granularity invalid that is too fine",
    inPlaceOf(id, "GranularityNotAvailable", refuse.ValidationFailed("Not valid.", { granularity: "is too fine" })),
  ),
  wireMutant("MET-02", "unbounded", "shows the end of a window that is too large", insteadOf("WindowTooLarge", endOf)),
  wireMutant(
    "MET-02",
    "one-more",
    "allows one bucket more",
    insteadOf("WindowTooLarge", (request, answer) =>
      detailsIn(answer).bucket_count === String(most + 1) ? endOf(request) : null,
    ),
  ),
  wireMutant(
    "MET-02",
    "days",
    "bounds no windows of days",
    insteadOf("WindowTooLarge", (request) => (queryOf(request).get("granularity") === "day" ? endOf(request) : null)),
  ),
  wireMutant(
    "MET-02",
    "bad-request",
    "calls a window that is too large a wrong parameter",
    inPlaceOf(id, "WindowTooLarge", refuse.ValidationFailed("Too large.", { to: "is too late" })),
  ),
  wireMutant(
    "MET-03",
    "numbers",
    "tells sizes of windows as numbers",
    detailing("WindowTooLarge", (details) =>
      Object.fromEntries(Object.entries(details).map(([name, text]) => [name, Number(text)])),
    ),
  ),
  wireMutant(
    "MET-03",
    "swapped",
    "tells sizes of windows the wrong way round",
    detailing("WindowTooLarge", ({ bucket_count, max_buckets }) => ({
      bucket_count: max_buckets,
      max_buckets: bucket_count,
    })),
  ),
  wireMutant(
    "MET-03",
    "most",
    "names another greatest number of buckets",
    detailing("WindowTooLarge", (details) => ({ ...details, max_buckets: String(most - 1) })),
  ),
  wireMutant(
    "MET-03",
    "words",
    "writes a comma into the number of buckets",
    detailing("WindowTooLarge", (details) => ({ ...details, bucket_count: "10,050" })),
  ),
  wireMutant(
    "MET-04",
    "one-less",
    "allows one bucket less",
    tooLargeWhere((buckets) => buckets === most),
  ),
  wireMutant(
    "MET-04",
    "half",
    "allows half as many",
    tooLargeWhere((buckets) => buckets > most / 2 + 1),
  ),
  mutantOf("MET-04", "in-progress", "counts a further bucket for the present one", [
    {
      file: "domain/metrics/asked-metrics.ts",
      find: "  return buckets.count > bounds.metricsWindowBuckets ? tooLarge(buckets.count) : buckets;",
      replace: "  return buckets.count + 1 > bounds.metricsWindowBuckets ? tooLarge(buckets.count + 1) : buckets;",
    },
  ]),
  ...(["minute", "hour", "day"] as const).map((granularity) =>
    mutant(
      "MET-04",
      `one-less-${granularity}`,
      `allows one bucket less of a ${granularity}`,
      "domain/metrics/asked-metrics.ts",
      "buckets.count > bounds.metricsWindowBuckets",
      `buckets.count > bounds.metricsWindowBuckets - (granularity === "${granularity}" ? 1 : 0)`,
    ),
  ),
  mutant(
    "MET-02",
    "one-more-minute",
    "allows one bucket more of a minute",
    "domain/metrics/asked-metrics.ts",
    "buckets.count > bounds.metricsWindowBuckets",
    'buckets.count > bounds.metricsWindowBuckets + (granularity === "minute" ? 1 : 0)',
  ),
  ...["from", "to", "granularity", "timezone", "limit"].map((name) => forgiving("MET-05", name, [name])),
  mutant(
    "MET-05",
    "left-out",
    "compares of the parameters of a next page those alone that it has",
    "routes/metrics.ts",
    "position.parameters !== parameters",
    "!(JSON.parse(parameters) as unknown[]).every((value, at) => value === null || value === (JSON.parse(position.parameters) as unknown[])[at])",
  ),
  forgiving("MET-05", "any", ["from", "to", "granularity", "timezone", "limit"]),
  wireMutant(
    "MET-05",
    "details",
    "says which parameters of a next page differ",
    detailing("CursorParametersChanged", () => ({ granularity: "must stay as it was" })),
  ),
  wireMutant(
    "MET-05",
    "bad-request",
    "gives other parameters the status that they have elsewhere",
    inPlaceOf(id, "CursorParametersChanged", refuse.InvalidInput("Other parameters.")),
  ),
  wireMutant(
    "MET-06",
    "pageless",
    "takes no cursor back",
    onAnswer(id, (answer, request) =>
      queryOf(request).has("cursor") && answer.status < 300
        ? refusedWith(answer, refuse.CursorParametersChanged("Other parameters."))
        : answer,
    ),
  ),
  mutant(
    "MET-06",
    "order",
    "compares the parameters of pages in the order in which they come",
    "domain/metrics/asked-metrics.ts",
    "({ from, to, granularity, timezone, limit }: MetricsQuery): string => JSON.stringify([from, to, granularity, timezone, limit])",
    '(query: MetricsQuery): string => JSON.stringify(Object.entries(query).filter(([name]) => name !== "cursor"))',
  ),
  wireMutant("MET-06", "once", "forgets a cursor once it came with other parameters", (serve) => {
    const forgotten = new Set<string>();
    return async (request) => {
      const answer = await serve(request);
      const cursor = queryOf(request).get("cursor");
      if (request.operation !== id || cursor === null) return answer;
      if (isRefusal(answer, "CursorParametersChanged")) forgotten.add(cursor);
      return forgotten.has(cursor) ? refusedWith(answer, refuse.CursorParametersChanged("Other parameters.")) : answer;
    };
  }),
  wireMutant(
    "MET-07",
    "zeros",
    "shows an empty series to who never ran a lookup",
    onAnswer(id, (answer) => (isRefusal(answer, "MetricNotAvailable") ? zeros(answer) : answer)),
  ),
  wireMutant(
    "MET-07",
    "details",
    "says more of why there are no metrics",
    detailing("MetricNotAvailable", () => ({ metric: "lookup" })),
  ),
  wireMutant(
    "MET-07",
    "missing",
    "does not find metrics of who never ran a lookup",
    inPlaceOf(id, "MetricNotAvailable", refuse.InvalidInput("There is nothing.")),
  ),
  wireMutant(
    "MET-08",
    "window",
    "says of a window without lookups that there are none at all",
    onAnswer(id, (answer) => {
      const { data } = Object(parsed(answer.bytes));
      const isEmpty = Array.isArray(data) && data.every((bucket: unknown) => Object(bucket).lookups === 0);
      return isEmpty ? refusedWith(answer, refuse.MetricNotAvailable("There are no lookups.")) : answer;
    }),
  ),
  wireMutant("MET-08", "old", "has no metrics of who has looked nothing up for a month", (serve) => {
    const latest = new Map<string | undefined, number>();
    return async (request) => {
      const answer = await serve(request);
      const { authorization } = request.headers;
      const { looked_up_at: at } = Object(dataOf(answer));
      if (request.operation === "createLookup" && at !== undefined) latest.set(authorization, Date.parse(at));
      const from = Date.parse(queryOf(request).get("from") ?? "");
      return request.operation === id && from > (latest.get(authorization) ?? from) + 31 * 24 * hour
        ? refusedWith(answer, refuse.MetricNotAvailable("There are no lookups."))
        : answer;
    };
  }),
  mutantOf("MET-07", "everybody", "has metrics for all once anybody has run a lookup", [
    storing((store) => {
      let isAny = false;
      return {
        async hasMetric(...asked) {
          isAny ||= await store.hasMetric(...asked);
          return isAny;
        },
      };
    }),
  ]),
  mutantOf("MET-08", "never", "has no metrics of lookups at all", [storing(() => ({ hasMetric: async () => false }))]),
  mutantOf("MET-20", "twice", "counts each lookup twice", [
    storing((store) => ({
      metricSums: async (...asked) => (await store.metricSums(...asked)).map((sum) => 2 * sum),
    })),
  ]),
  mutantOf("MET-20", "first-page", "counts on the first bucket of a page what belongs to the one before", [
    storing((store) => ({
      metricSums: (organizationId, metric, windows) =>
        store.metricSums(
          organizationId,
          metric,
          windows.map(({ from, before }, place) => ({ from: place === 0 ? from - (before - from) : from, before })),
        ),
    })),
  ]),
  mutantOf("MET-20", "night", "takes each day for one of 24 hours", [
    summing(({ from, before }) => ({
      from,
      before: before - from > 20 * hour && before - from < 28 * hour ? from + 24 * hour : before,
    })),
  ]),
  mutantOf("MET-20", "half-hours", "sums up whole hours of UTC alone", [
    summing(({ from, before }) => ({
      from: Math.floor(from / hour) * hour,
      before: before - from === hour ? Math.floor(from / hour) * hour + hour : before,
    })),
  ]),
  mutantOf("MET-22", "working-day", "begins days at nine in the morning, and counts them so", [
    {
      file: "domain/time-buckets.ts",
      symbol: "calendarBuckets",
      find: "startOf: (index) => first.add({ [unit]: index }).toZonedDateTime(zone).epochMilliseconds,",
      replace: "startOf: (index) => first.add({ [unit]: index }).toZonedDateTime(zone).epochMilliseconds + 9 * hour,",
    },
  ]),
  mutantOf("MET-22", "first-call", "begins hours at a minute of its own", [
    {
      file: "domain/time-buckets.ts",
      symbol: "clockEdges",
      find: "const first = Math.ceil((at + offset) / length) * length - offset;",
      replace: "const first = Math.ceil((at + offset - 7 * minute) / length) * length - offset + 7 * minute;",
    },
  ]),
  mutantOf("MET-21", "everybody", "counts what any organization looks up", [
    storing((store) => {
      const all = new Set<string>();
      return {
        async metricSums(organizationId, metric, windows) {
          all.add(organizationId);
          const sums = await Promise.all([...all].map((each) => store.metricSums(each, metric, windows)));
          return windows.map((_, place) => sums.reduce((sum, each) => sum + (each[place] ?? 0), 0));
        },
        hasMetric(organizationId, metric) {
          all.add(organizationId);
          return store.hasMetric(organizationId, metric);
        },
        async lookup(organizationId, lookup) {
          all.add(organizationId);
          return store.lookup(organizationId, lookup);
        },
        wallet(organizationId) {
          all.add(organizationId);
          return store.wallet(organizationId);
        },
      };
    }),
  ]),
];

/** The same request for the last hours of its window. */
function endOf(request: WireRequest): WireRequest {
  const to = queryOf(request).get("to") ?? "";
  return withQuery(request, { from: new Date(Date.parse(to) - 60 * hour).toISOString() });
}
