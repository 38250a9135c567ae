import { isDeepStrictEqual } from "node:util";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { dataOf, type Exchange, errorOf, isSuccess } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { Credential } from "../../provision/tenant.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { nextCursorOf } from "../../steps/feed.ts";
import { makeLookup } from "../../steps/lookup.ts";
import {
  byDay,
  callMetrics,
  type Granularity,
  isSamePage,
  type MetricsQuery,
  type MetricsWindow,
  metricsQuery,
  openQuery,
  servedGranularities,
  unheardCursor,
  windowBefore,
} from "../../steps/metrics.ts";
import { eventually } from "../../steps/settle.ts";
import { understoodMetrics } from "../../steps/understood-metrics.ts";

/** Lookups, each in a bucket of its own where the clock can be moved. */
const lookups = 4;

/** Buckets of the window that is read page by page, and of the largest one that is tried for a second page. */
const [few, many] = [12, 5_000];

/** Seconds between two pages. */
const meanwhile = 2;

/** Buckets on a page of the smaller window. */
const pageSize = 2;

/** Whether a page has as many buckets as were asked for. */
function isOfSize(page: Exchange, { limit }: Readonly<Record<string, string>>): boolean {
  const data = isSuccess(page) ? dataOf(page) : null;
  return Array.isArray(data) && String(data.length) === limit;
}

/** Timezones whose days never begin at the same time. */
const [west, east] = ["Pacific/Pago_Pago", "Pacific/Kiritimati"];

/** The parameter of a timezone, where metrics by day in two of them show that it is heeded; else null. */
async function heededZone(t: CheckContext, as: Credential, now: number): Promise<MetricsQuery | null> {
  const days = async (timezone: string): Promise<unknown> => {
    const page = await callMetrics(t, as, windowBefore(now, byDay, few), { timezone });
    return isSuccess(page) ? dataOf(page) : null;
  };
  const [there, elsewhere, thereAgain] = [await days(west), await days(east), await days(west)];
  // What is counted late changes by itself.
  const isHeeded = there !== null && elsewhere !== null && isDeepStrictEqual(there, thereAgain);
  return isHeeded && !isDeepStrictEqual(there, elsewhere) ? { timezone: west } : null;
}

/** Where a window needs no ends, a next page needs none either, though the present is another one by then. */
async function judgeOpen(
  t: CheckContext<"MET-06">,
  as: Credential,
  granularity: Granularity,
  size: Readonly<Record<string, string>>,
): Promise<void> {
  const call = (more: Readonly<Record<string, string>>): Promise<Exchange> =>
    t.call("getLookupMetrics", { query: openQuery(t, granularity, { ...size, ...more }) }, as);
  const page = await call({});
  const cursor = isSuccess(page) ? nextCursorOf(page) : null;
  if (cursor === null) return;
  if (as.tenant.manualClock) await as.tenant.advance(meanwhile, "another present");
  t.accepted("MET-06", await call({ cursor }));
}

/** What a cursor is good for. */
export const nextPages = check({
  id: "metrics.next-pages",
  title: "A next page of metrics comes with the parameters of the page before, and with no others",
  rules: ["MET-05", "MET-06"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    await makeLookup(t, main);
    const [{ granularity }, ...coarser] = await servedGranularities(t, main);
    const understood = await understoodMetrics(t, main);
    for (let made = 1; made < lookups; made += 1) {
      if (tenant.manualClock) await tenant.advance(granularity.length / 1000, "a lookup in another bucket");
      await makeLookup(t, main);
    }
    if (tenant.manualClock) await tenant.advance(granularity.length / 1000, "the end of the last bucket");
    const now = await tenant.now();

    /** The first page of a window that has another one; null where all is on one. */
    const firstOf = async (window: MetricsWindow, size: Readonly<Record<string, string>>) => {
      const page = t.control(await callMetrics(t, main, window, size), "reading metrics");
      const cursor = nextCursorOf(page);
      return cursor === null ? null : { page, cursor, window, size };
    };
    // Buckets in which nothing was done may be left out, and a lookup counted a moment later.
    const first = await eventually(
      t,
      tenant,
      async () =>
        (await firstOf(windowBefore(now, granularity, few), { limit: String(pageSize) })) ??
        (await firstOf(windowBefore(now, granularity, many), {})),
    );
    if (first === null)
      throw new Blocked("all metrics are on one page", "give the kit an organization whose clock it moves: a sandbox");
    const { cursor, window, size, page } = first;
    const next = (changed: Partial<MetricsWindow>): Promise<Exchange> =>
      callMetrics(t, main, { ...window, ...changed }, { ...size, cursor });

    /** Whether a page comes that is another one than the first, or the last: empty ones may follow each other. */
    const leadsOn = async (one: Exchange, follower: Exchange): Promise<boolean> => {
      let read = follower;
      for (let pages = 0; pages < few; pages += 1) {
        const after = nextCursorOf(read);
        if (after === null || !isDeepStrictEqual(dataOf(one), dataOf(read))) return true;
        if (isSamePage(one, read)) return false;
        read = t.control(await callMetrics(t, main, window, { ...size, cursor: after }), "reading metrics");
      }
      return false;
    };
    const second = await next({});
    // What is refused in another way, or shows the first page again, may be so for a parameter of another name.
    if (isSuccess(second) ? !(await leadsOn(page, second)) : !answeredBy(second, "CursorParametersChanged"))
      throw unheardCursor();
    t.accepted("MET-06", second);
    // They are the same parameters in whatever order they come.
    const ordered = Object.entries(metricsQuery(t, window, { ...size, cursor }));
    for (const query of [ordered.toReversed(), [...ordered.slice(-1), ...ordered.slice(0, -1)]])
      t.accepted("MET-06", await t.call("getLookupMetrics", { query: Object.fromEntries(query) }, main));
    const other = understood.has(granularity.name)
      ? coarser.find((one) => understood.has(one.granularity.name))
      : undefined;
    const changes: readonly Partial<MetricsWindow>[] = [
      { from: window.from - granularity.length },
      { from: window.from + granularity.length },
      { to: window.to - granularity.length },
      ...(other === undefined ? [] : [{ granularity: other.granularity }]),
    ];
    const decide = (refused: Exchange): void => {
      if (t.refused("MET-05", refused, "CursorParametersChanged"))
        t.equal("MET-05", "error.details", errorOf(refused)?.details, undefined, page, refused);
    };
    for (const changed of changes) {
      t.control(await callMetrics(t, main, { ...window, ...changed }, size), "reading metrics with other parameters");
      decide(await next(changed));
    }
    const zone = understood.has(byDay.name) ? await heededZone(t, main, now) : null;
    if (zone !== null) {
      t.control(await callMetrics(t, main, window, { ...size, ...zone }), "reading metrics in another timezone");
      decide(await callMetrics(t, main, window, { ...size, ...zone, cursor }));
    }
    // The size of a page is a parameter like others where it is heeded.
    const larger = { limit: String(pageSize + 1) };
    if (isOfSize(page, size) && isOfSize(await callMetrics(t, main, window, larger), larger))
      decide(await callMetrics(t, main, window, { ...larger, cursor }));
    // What is left out is another parameter, or as it was, and none that goes by a default.
    for (const query of [openQuery(t, granularity, { ...size, cursor }), metricsQuery(t, window, { cursor })]) {
      const before = await next({});
      const reduced = await t.call("getLookupMetrics", { query }, main);
      if (answeredBy(reduced, "CursorParametersChanged")) decide(reduced);
      else if (isSuccess(reduced)) {
        // A lookup may be counted meanwhile.
        const after = await next({});
        t.verify(
          "MET-05",
          [before, after].some((one) => isDeepStrictEqual(dataOf(one), dataOf(reduced))),
          {
            expected: "a refusal of a next page that leaves a parameter out, or the page that comes with it",
            actual: "another page",
            exchanges: [page, before, reduced],
          },
        );
      }
    }
    // Later pages are no less bound to the first one.
    const later = nextCursorOf(second);
    if (later !== null)
      decide(
        await callMetrics(t, main, { ...window, from: window.from + granularity.length }, { ...size, cursor: later }),
      );
    // Whoever was refused can still go on, and so can who has run another lookup meanwhile.
    await makeLookup(t, main);
    t.accepted("MET-06", await next({}));
    await judgeOpen(t, main, granularity, size);
  },
});
