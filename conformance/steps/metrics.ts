import { isDeepStrictEqual } from "node:util";
import { operations } from "../../generated/operations.ts";
import type { CheckContext } from "../context/context.ts";
import { dataOf, type Exchange, errorOf, isSuccess, objectOf, summaryOf } from "../exchange/exchange.ts";
import { Blocked } from "../outcome/verdict.ts";
import type { Credential } from "../provision/tenant.ts";
import { answeredBy } from "./answered-by.ts";
import { recordsOf } from "./feed.ts";
import { eventually } from "./settle.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** A granularity by the contract's name, and how long its buckets are where no clock is put, in milliseconds. */
export interface Granularity {
  readonly name: string;
  readonly length: number;
}

/** The one that the document shows. */
export const byDay: Granularity = { name: "day", length: day };

/** Granularities that the kit asks for, the finest first; the document shows but the day. */
export const granularities: readonly Granularity[] = [
  { name: "minute", length: minute },
  { name: "hour", length: hour },
  byDay,
];

/** A stretch of time in buckets of one size: `from` on and before `to`, in milliseconds since 1970. */
export interface MetricsWindow {
  readonly from: number;
  readonly to: number;
  readonly granularity: Granularity;
}

/** Other parameters, as they are written. */
export type MetricsQuery = Readonly<Record<string, string>>;

/** So many buckets that end where the one before `now` does. */
export function windowBefore(now: number, granularity: Granularity, buckets: number): MetricsWindow {
  const to = Math.floor(now / granularity.length) * granularity.length;
  return { from: to - buckets * granularity.length, to, granularity };
}

/** Asks for metrics of lookups, whatever the answer. */
export function callMetrics(
  t: CheckContext,
  as: Credential,
  window: MetricsWindow,
  more: MetricsQuery = {},
): Promise<Exchange> {
  return t.call("getLookupMetrics", { query: metricsQuery(t, window, more) }, as);
}

/** The parameters that ask for a window, written as the target wants them. */
export function metricsQuery(
  t: CheckContext,
  { from, to, granularity }: MetricsWindow,
  more: MetricsQuery = {},
): MetricsQuery {
  const written = { from: new Date(from).toISOString(), to: new Date(to).toISOString(), granularity: granularity.name };
  return Object.fromEntries(parametersIn(t.shapeRequest("getLookupMetrics", { ...written, ...more })));
}

/** The parameters that ask for a window of which nothing is said, written as the target wants them. */
export const openQuery = (t: CheckContext, granularity: Granularity, more: MetricsQuery): MetricsQuery =>
  Object.fromEntries(parametersIn(t.shapeRequest("getLookupMetrics", { granularity: granularity.name, ...more })));

/** Parameters have no parts: what a mapping writes into one is one whose name has a dot. */
const parametersIn = (written: unknown, prefix = ""): readonly (readonly [string, string])[] =>
  Object.entries(objectOf(written) ?? {}).flatMap(([name, value]) =>
    objectOf(value) === null
      ? [[`${prefix}${name}`, String(value)] as const]
      : parametersIn(value, `${prefix}${name}.`),
  );

/** How many lookups each bucket of a page shows; null where it shows no numbers. */
export function countsOf(t: CheckContext, page: Exchange): readonly number[] | null {
  const counts = membersOf(t, page, "lookups");
  const numbers = counts.filter((count) => typeof count === "number");
  return numbers.length === counts.length ? numbers : null;
}

/** When each bucket of a page begins, in milliseconds since 1970; null where it shows no times. */
export function startsOf(t: CheckContext, page: Exchange): readonly number[] | null {
  const starts = membersOf(t, page, "starts_at").map((text) =>
    typeof text === "string" ? Date.parse(text) : Number.NaN,
  );
  return starts.some(Number.isNaN) ? null : starts;
}

/** What each bucket of a page has under the contract's name. */
function membersOf(t: CheckContext, page: Exchange, name: "lookups" | "starts_at"): readonly unknown[] {
  const data = t.shapeResponse("getLookupMetrics", dataOf(page));
  return (Array.isArray(data) ? data : []).map((bucket) => objectOf(bucket)?.[name]);
}

/** Whether the first page came again, as from a target that calls cursors otherwise. Empty pages may follow each other. */
export const isSamePage = (page: Exchange, next: Exchange): boolean =>
  recordsOf(page).length > 0 && isDeepStrictEqual(dataOf(page), dataOf(next));

/** Blocks for want of the name that the target has for a cursor. */
export const unheardCursor = (): Blocked =>
  new Blocked(
    "nothing shows that the target goes by cursor as the contract calls it",
    "say what its parameters are called: shapes of getLookupMetrics in the target file",
  );

/** What a caller can ask for. */
export interface Served {
  readonly granularity: Granularity;
  /** The answer to a small window of it. */
  readonly exchange: Exchange;
}

/** The granularities that the caller gets, the finest first, once a lookup is counted; at least one. Blocks where there is none. */
export async function servedGranularities(t: CheckContext, as: Credential): Promise<readonly [Served, ...Served[]]> {
  const answers: Exchange[] = [];
  const served = await eventually(t, as.tenant, async () => {
    const now = await as.tenant.now();
    const found: Served[] = [];
    answers.length = 0;
    for (const granularity of granularities) {
      const exchange = await callMetrics(t, as, windowBefore(now, granularity, 2));
      answers.push(exchange);
      if (isSuccess(exchange)) found.push({ granularity, exchange });
    }
    const [finest, ...coarser] = found;
    // A lookup may be counted a moment later; nothing else changes by itself.
    const isEarly = answers.some((answer) => answeredBy(answer, "MetricNotAvailable"));
    return finest !== undefined ? ([finest, ...coarser] as const) : isEarly ? null : ([] as const);
  });
  const [finest, ...coarser] = served ?? [];
  if (finest !== undefined) return [finest, ...coarser];
  if (answers.some((answer) => answeredBy(answer, "Forbidden")))
    throw new Blocked("the given key may not read metrics", `give the kit a key that holds ${metricsScope}`);
  throw new Blocked(
    `metrics were answered ${answers.map(summaryOf).join(", ")}`,
    "say how metrics are asked for: shapes in the target file",
  );
}

/** What to do about a granularity that nothing tells from others. */
export const granularityAdvice = "say what the parameter is called: shapes of getLookupMetrics in the target file";

/** Scope that reading metrics needs. */
export const metricsScope: string = operations.getLookupMetrics.scope;

/** What a refusal says of how large the window is and may be; null for what are no digits. */
export function windowSizesOf(exchange: Exchange): { readonly count: number | null; readonly most: number | null } {
  const { bucket_count, max_buckets } = objectOf(errorOf(exchange)?.details) ?? {};
  const number = (text: unknown): number | null =>
    typeof text === "string" && /^\d{1,15}$/.test(text) ? Number(text) : null;
  return { count: number(bucket_count), most: number(max_buckets) };
}
