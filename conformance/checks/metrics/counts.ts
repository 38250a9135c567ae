import { isDeepStrictEqual } from "node:util";
import { check } from "../../context/check.ts";
import type { CheckContext, Evidence } from "../../context/context.ts";
import { dataOf, type Exchange, isSuccess } from "../../exchange/exchange.ts";
import { pause } from "../../liveness/deadline.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { Credential } from "../../provision/tenant.ts";
import { nextCursorOf } from "../../steps/feed.ts";
import { makeLookup } from "../../steps/lookup.ts";
import {
  callMetrics,
  countsOf,
  isSamePage,
  type MetricsWindow,
  servedGranularities,
  unheardCursor,
  windowBefore,
} from "../../steps/metrics.ts";
import { eventually } from "../../steps/settle.ts";
import { understoodMetrics } from "../../steps/understood-metrics.ts";

/** Lookups in each bucket, one after the other. */
const perBucket = [2, 0, 3, 1];

/** Lookups between two buckets, behind those. */
const edges = 2;

/** More pages than the window has buckets. */
const mostPages = 40;

/** Times that another organization looks numbers up where the metrics seem to show it. */
const patience = 3;

/** Milliseconds in which a time that is shown to the second is another one. */
const ownTick = 1_100;

/** All lookups that these pages show; null where the kit finds no numbers. */
function sumOf(t: CheckContext, pages: readonly Exchange[]): number | null {
  const counts = pages.map((page) => countsOf(t, page));
  const numbers = counts.flatMap((each) => each ?? []);
  return counts.includes(null) || numbers.length === 0 ? null : numbers.reduce((sum, count) => sum + count, 0);
}

/** All pages of a window, up to so many as there may be at most. */
async function allPages(
  t: CheckContext,
  as: Credential,
  window: MetricsWindow,
  size: Readonly<Record<string, string>>,
): Promise<readonly Exchange[]> {
  const pages: Exchange[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page = await callMetrics(t, as, window, cursor === "" ? size : { ...size, cursor });
    const last = pages.at(-1);
    if (last !== undefined && (!isSuccess(page) || isSamePage(last, page))) throw unheardCursor();
    pages.push(t.control(page, "reading metrics"));
    cursor = nextCursorOf(page);
    if (cursor !== null && pages.length >= mostPages)
      throw new Blocked(`metrics went on after ${mostPages} pages`, "see MET-06 first", "server");
  }
  return pages;
}

/** What the buckets of a window come to. */
export const counts = check({
  id: "metrics.counts",
  title: "The buckets of a window come to the lookups that were made in it, on one page or on several",
  rules: ["MET-20"],
  kind: "scenario",
  needs: ["fresh-organization", "manual-clock"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    await makeLookup(t, main);
    const [{ granularity }] = await servedGranularities(t, main);
    const [[own], [canadian]] = [t.numbers("united_states"), t.numbers("canada")];
    let made = 1;
    for (const lookups of perBucket) {
      await tenant.advance(granularity.length / 1000, "lookups in another bucket");
      for (let count = 0; count < lookups; count += 1, made += 1)
        await makeLookup(t, main, { number: made % 2 === 0 ? own : canadian });
    }
    // At the very instants at which one bucket ends and another one begins.
    for (let edge = 0; edge < edges; edge += 1, made += 1) {
      const past = (await tenant.now()) % granularity.length;
      await tenant.advance((granularity.length - past) / 1000, "the instant at which a bucket ends");
      await makeLookup(t, main, { number: own });
    }
    await tenant.advance((2 * granularity.length) / 1000, "the end of the last bucket");
    const window = windowBefore(await tenant.now(), granularity, perBucket.length + edges + 6);
    for (const size of [{}, { limit: "1" }, { limit: "3" }]) {
      const read = () => allPages(t, main, window, size);
      const settled = await eventually(t, tenant, async () => {
        const pages = await read();
        return sumOf(t, pages) === made ? pages : null;
      });
      const pages = settled ?? (await read());
      const sum = sumOf(t, pages);
      if (sum === null) throw new Blocked("the kit finds no number of lookups", "say where: shapes in the target file");
      // Who goes by other parameters shows another window.
      if (sum !== made) await understoodMetrics(t, main);
      t.verify("MET-20", sum === made, {
        expected: `${made} lookups in all buckets`,
        actual: String(sum),
        exchanges: pages.slice(0, 3),
        question: "Q127",
      });
    }
    // A window whose last bucket, which the pages must reach as well, is not empty.
    const busy = { ...window, to: window.to - granularity.length };
    const whole = sumOf(t, await allPages(t, main, busy, {}));
    for (const limit of ["1", "2", "3", "4"]) {
      const pages = await allPages(t, main, busy, { limit });
      const sum = sumOf(t, pages);
      t.verify("MET-20", sum === whole, {
        expected: `${whole} lookups on pages of ${limit}, as where nothing is said of pages`,
        actual: String(sum),
        exchanges: [...pages.slice(0, 1), ...pages.slice(-1)],
        question: "Q127",
      });
    }
  },
});

/** That the first shows what the last does. */
const comparedOf = ([before, after]: readonly [Exchange, Exchange]): Pick<Evidence, "compared"> => ({
  compared: { what: "the metrics", actual: dataOf(after), expected: dataOf(before) },
});

/** What one organization sees while another one looks numbers up. */
export const isolation = check({
  id: "metrics.isolation",
  title: "Nothing that another organization looks up shows in the metrics",
  rules: ["MET-21"],
  kind: "scenario",
  needs: ["fresh-organization", "other-organization", "manual-clock"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const stranger = await (await t.otherTenant({ clock: "manual" })).main();
    await makeLookup(t, main);
    const [{ granularity }] = await servedGranularities(t, main);
    await tenant.advance(granularity.length / 1000, "the end of the bucket");
    // It holds what the others do too: their clocks began at about the same time.
    const now = await tenant.now();
    const window = { ...windowBefore(now, granularity, 4), to: now };
    const look = async (as: Credential) => t.control(await callMetrics(t, as, window), "reading metrics");
    const atRest = async (): Promise<Exchange> => {
      let before = await look(main);
      const rest = await eventually(t, tenant, async () => {
        const again = await look(main);
        const isAlike = isDeepStrictEqual(dataOf(again), dataOf(before));
        before = again;
        return isAlike ? again : null;
      });
      if (rest === null) throw new Blocked("metrics were never shown twice alike", "see MET-20 first", "server");
      return rest;
    };
    const changedBy = async (what: () => Promise<unknown>) => {
      const before = await atRest();
      await what();
      const after = await atRest();
      return isDeepStrictEqual(dataOf(before), dataOf(after)) ? null : ([before, after] as const);
    };
    const changed = () => changedBy(() => makeLookup(t, stranger));
    // What is counted late shows now and then only; what others do shows each time.
    let difference = await changed();
    for (let tries = 1; tries < patience && difference !== null; tries += 1) difference = await changed();
    // Of what a bucket shows beside its lookups some may go by the world's clock.
    if (difference !== null && (await changedBy(() => pause(ownTick))) !== null)
      throw new Blocked("metrics change by themselves", "have them show no time of the world's clock");
    t.verify("MET-21", difference === null, {
      expected: "the same metrics after another organization looked a number up",
      actual: difference === null ? "that" : "others",
      exchanges: difference ?? [],
      ...(difference === null ? {} : comparedOf(difference)),
    });
  },
});
