import { bounds } from "../../../generated/limits.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { type Exchange, errorOf, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { Credential } from "../../provision/tenant.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { nextCursorOf } from "../../steps/feed.ts";
import { makeLookup } from "../../steps/lookup.ts";
import {
  byDay,
  callMetrics,
  type Granularity,
  granularities,
  granularityAdvice,
  servedGranularities,
  startsOf,
  windowBefore,
  windowSizesOf,
} from "../../steps/metrics.ts";
import { understoodMetrics } from "../../steps/understood-metrics.ts";

const most = bounds.metricsWindowBuckets;

/** Buckets by which another way to count those at the ends of a window may differ. */
const atEnds = 2;

/** More than any way to count those at the ends comes to. */
const beyond = 50;

/** A hundred years, in milliseconds: far more than the most buckets even by the day. */
const century = 36_525 * byDay.length;

/** Buckets of a window whose series the kit counts. */
const countedBuckets = 6;

/**
 * Returns the number of buckets by which the shown series of a window exceeds the buckets that the kit asked for. It is
 * null if the series has no times, has gaps or takes more than one page.
 */
async function shownExcess(
  t: CheckContext,
  as: Credential,
  now: number,
  granularity: Granularity,
): Promise<number | null> {
  const { length } = granularity;
  // A server may include the bucket at the end of a window, and show no bucket before its period is over.
  const page = await callMetrics(t, as, windowBefore(now - atEnds * length, granularity, countedBuckets));
  const starts = startsOf(t, page)?.toSorted((a, b) => a - b) ?? [];
  const isDense = starts.every((start, at) => at === 0 || start - (starts[at - 1] ?? 0) === length);
  if (!isSuccess(page) || !isDense || nextCursorOf(page) !== null) return null;
  const excess = starts.length - countedBuckets;
  return excess >= 0 && excess <= atEnds ? excess : null;
}

/**
 * Decides about the greatest window and the next one, if a larger one was refused for its size. Returns true if it could.
 * A server may count the buckets at the ends of a window in another way. Its series shows that, or else its count does.
 */
async function judgeEdge(
  t: CheckContext<"MET-02" | "MET-04">,
  ask: (buckets: number) => Promise<Exchange>,
  tooLarge: Exchange,
  excess: number | null,
): Promise<boolean> {
  if (!answeredBy(tooLarge, "WindowTooLarge")) return false;
  const more = (windowSizesOf(tooLarge).count ?? Number.NaN) - (most + beyond);
  if (!(Math.abs(more) <= atEnds)) return false;
  t.refused("MET-02", await ask(most + 1 - Math.min(more, excess ?? more)), "WindowTooLarge");
  const full = await ask(most - (excess ?? more));
  t.verify("MET-04", !answeredBy(full, "WindowTooLarge"), {
    expected: `a window of ${most} buckets not refused as too large`,
    actual: summaryOf(full),
    exchanges: [tooLarge, full],
  });
  return true;
}

/** Windows around the greatest one. */
export const windowSizes = check({
  id: "metrics.window-sizes",
  title: `A window of metrics holds ${most} buckets, and no more`,
  rules: ["MET-02", "MET-03", "MET-04"],
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
    if (!understood.has(granularity.name))
      throw new Blocked(`nothing shows what the target takes a ${granularity.name} for`, granularityAdvice);
    const now = await tenant.now();
    const ask = (buckets: number): Promise<Exchange> => callMetrics(t, main, windowBefore(now, granularity, buckets));
    const excessOf = (one: Granularity): Promise<number | null> => shownExcess(t, main, now, one);

    const tooLarge = await ask(most + beyond);
    // How far back metrics go, of each granularity, is not shown, nor how long a time may be: another refusal may come
    // first where less of the same beginning, or the same time in coarser buckets, is refused too.
    const whole = windowBefore(now, granularity, most + beyond);
    const begun = await callMetrics(t, main, { ...whole, to: whole.from + 2 * granularity.length });
    const asCoarser = await Promise.all(
      coarser
        .filter((one) => understood.has(one.granularity.name))
        .map(async (one) => isSuccess(await callMetrics(t, main, { ...whole, granularity: one.granularity }))),
    );
    const isReached = isSuccess(begun) && asCoarser.includes(true);
    if (!isReached)
      t.verify("MET-02", !isSuccess(tooLarge), {
        expected: `a window of ${most + beyond} buckets refused`,
        actual: summaryOf(tooLarge),
        exchanges: [tooLarge],
      });
    const isRefused = isReached
      ? t.refused("MET-02", tooLarge, "WindowTooLarge")
      : answeredBy(tooLarge, "WindowTooLarge");
    if (isRefused) {
      const details = JSON.stringify(errorOf(tooLarge)?.details);
      const { count, most: allowed } = windowSizesOf(tooLarge);
      t.verify("MET-03", count !== null && count > most && allowed === most, {
        expected: `bucket_count, digits of a number above ${most}, and max_buckets "${most}"`,
        actual: details ?? "no details",
        exchanges: [tooLarge],
      });
      await judgeEdge(t, ask, tooLarge, await excessOf(granularity));
    }
    for (const size of [most / 2, most - beyond]) {
      const smaller = await ask(size);
      t.verify("MET-04", !answeredBy(smaller, "WindowTooLarge"), {
        expected: `a window of about ${size} buckets not refused as too large`,
        actual: summaryOf(smaller),
        exchanges: [smaller],
      });
    }
    // How far back they may go is not shown, so that another refusal may come first.
    for (const { granularity: other } of coarser.filter((one) => understood.has(one.granularity.name))) {
      const wide = await callMetrics(t, main, windowBefore(now, other, most + beyond));
      t.verify("MET-02", !isSuccess(wide), {
        expected: `a window of ${most + beyond} buckets of a ${other.name} refused`,
        actual: summaryOf(wide),
        exchanges: [wide],
      });
      const askOther = (buckets: number): Promise<Exchange> => callMetrics(t, main, windowBefore(now, other, buckets));
      await judgeEdge(t, askOther, wide, await excessOf(other));
    }
    // So long that its seconds, or its buckets, fit into no 32 bits.
    for (const { granularity: each } of [{ granularity }, ...coarser].filter((one) =>
      understood.has(one.granularity.name),
    )) {
      const whole = windowBefore(now, each, Math.ceil(century / each.length));
      const refused = await callMetrics(t, main, whole);
      t.verify("MET-02", !isSuccess(refused), {
        expected: `a window of a hundred years by the ${each.name} refused`,
        actual: summaryOf(refused),
        exchanges: [refused],
      });
    }
    if (!isRefused)
      throw new Blocked(
        `a window of ${most + beyond} buckets was answered ${summaryOf(tooLarge)}, so that its size was not what counted`,
        "have the test environment keep metrics for longer",
      );
  },
});

/** The same of the plan that allows all granularities, in each of them. */
export const finestWindows = check({
  id: "metrics.finest-windows",
  title: `Where the plan allows the finest granularity, a window holds ${most} buckets of each, and no more`,
  rules: ["MET-02", "MET-04"],
  kind: "scenario",
  needs: ["finest-granularity"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const [finest] = granularities;
    if (finest === undefined) return;
    const tenant = await t.otherTenant({ clock: "manual", finest_granularity: finest.name });
    const main = await tenant.main();
    await makeLookup(t, main);
    const served = await servedGranularities(t, main);
    const understood = await understoodMetrics(t, main);
    const now = await tenant.now();
    let isJudged = false;
    for (const { granularity } of served.filter((one) => understood.has(one.granularity.name))) {
      const ask = (buckets: number): Promise<Exchange> => callMetrics(t, main, windowBefore(now, granularity, buckets));
      const excess = await shownExcess(t, main, now, granularity);
      isJudged = (await judgeEdge(t, ask, await ask(most + beyond), excess)) || isJudged;
    }
    if (!isJudged)
      throw new Blocked(`no window of ${most + beyond} buckets was refused for its size`, "see MET-02 first", "server");
  },
});
