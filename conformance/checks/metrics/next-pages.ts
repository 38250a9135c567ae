import { check } from "../../context/check.ts";
import { type Exchange, errorOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { nextCursorOf } from "../../steps/feed.ts";
import { makeLookup } from "../../steps/lookup.ts";
import { callMetrics, type MetricsWindow, servedGranularities, windowBefore } from "../../steps/metrics.ts";
import { eventually } from "../../steps/settle.ts";

/** Lookups, each in a bucket of its own where the clock can be moved. */
const lookups = 4;

/** Buckets of the window that is read page by page, and of the largest one that is tried for a second page. */
const [few, many] = [12, 5_000];

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
        (await firstOf(windowBefore(now, granularity, few), { limit: "2" })) ??
        (await firstOf(windowBefore(now, granularity, many), {})),
    );
    if (first === null)
      throw new Blocked("all metrics are on one page", "give the kit an organization whose clock it moves: a sandbox");
    const { cursor, window, size, page } = first;
    const next = (changed: Partial<MetricsWindow>): Promise<Exchange> =>
      callMetrics(t, main, { ...window, ...changed }, { ...size, cursor });

    t.accepted("MET-06", await next({}));
    const [other] = coarser;
    const changes: readonly Partial<MetricsWindow>[] = [
      { from: window.from - granularity.length },
      { from: window.from + granularity.length },
      { to: window.to - granularity.length },
      ...(other === undefined ? [] : [{ granularity: other.granularity }]),
    ];
    for (const changed of changes) {
      t.control(await callMetrics(t, main, { ...window, ...changed }, size), "reading metrics with other parameters");
      const refused = await next(changed);
      if (t.refused("MET-05", refused, "CursorParametersChanged"))
        t.equal("MET-05", "error.details", errorOf(refused)?.details, undefined, page, refused);
    }
    // Whoever was refused can still go on.
    t.accepted("MET-06", await next({}));
  },
});
