import * as fc from "fast-check";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { type Exchange, isSuccess } from "../../exchange/exchange.ts";
import { pause } from "../../liveness/deadline.ts";
import { NotApplicable } from "../../outcome/verdict.ts";
import type { Credential } from "../../provision/tenant.ts";
import { clockChange } from "../../steps/clock-changes.ts";
import { nextCursorOf } from "../../steps/feed.ts";
import { makeLookup } from "../../steps/lookup.ts";
import {
  callMetrics,
  countsOf,
  type Granularity,
  isSamePage,
  type MetricsWindow,
  servedGranularities,
  startsOf,
} from "../../steps/metrics.ts";
import { understoodMetrics } from "../../steps/understood-metrics.ts";
import { type Beginnings, strayBeginning } from "./bucket-beginnings.ts";

const minute = 60_000;

/** Zones whose clocks are put: by an hour early in the year, and by half an hour in autumn. */
const changing = ["Europe/London", "Australia/Lord_Howe"] as const;

/** Zones by whose clock buckets are asked for; those of some are off UTC by parts of an hour. */
const zones = [
  ...changing,
  ...["UTC", "America/New_York", "America/St_Johns", "Asia/Kathmandu", "Asia/Kolkata", "Pacific/Chatham"],
] as const;

/** Minutes from when a clock is put until a lookup: on either side of it, and about where that day ends. */
const minutesAfter = [-20, 20, 22 * 60 + 20] as const;

/** Buckets of a window before and behind the lookup that it is drawn around, at most. */
const mostBuckets = 12;

/** Windows that are drawn. */
const windows = 10;

/** Times that a window is read which shows something else: a server may show what it came to a moment ago. */
const patience = 3;

/** More pages than there are buckets. */
const mostPages = 2 * mostBuckets + 4;

/** A lookup, made at some instant from `from` until `until` of the organization's time. */
interface Made {
  readonly from: number;
  readonly until: number;
}

/** A bucket as it is shown. */
interface Bucket {
  readonly startsAt: number;
  readonly lookups: number;
}

interface Drawn {
  readonly zone: string;
  readonly granularity: Granularity;
  readonly around: Made;
  readonly before: number;
  readonly after: number;
  /** Parts of a bucket by which both ends are off. */
  readonly off: readonly [number, number];
}

/** Windows around nights at which clocks are put, by the clocks of several zones. */
export const drawnWindows = check({
  id: "metrics.drawn-windows",
  title: "Of whatever window, by whatever zone's clock, each bucket holds what was looked up until the next one begins",
  rules: ["MET-20", "MET-22"],
  kind: "sampled",
  needs: ["fresh-organization", "manual-clock"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    await makeLookup(t, main);
    const served = await servedGranularities(t, main);
    const understood = await understoodMetrics(t, main);
    const made = await lookUpAtNight(t, main);
    const coarsest = served.at(-1)?.granularity ?? served[0].granularity;
    await tenant.advance(((mostBuckets + 2) * coarsest.length) / 1000, "the end of all windows");
    const judged: JudgedWindow[] = [];
    const decide = async (one: Drawn): Promise<void> => {
      const window = await judge(t, main, made, one);
      if (window !== null) judged.push(window);
    };
    // The days of each night first, so that they are seen however few windows are drawn.
    for (const zone of changing)
      for (const around of made.filter((_, index) => index % minutesAfter.length === 0))
        await decide({ zone, granularity: coarsest, around, before: 3, after: 4, off: [0.5, 0.5] });
    const drawn = fc.record({
      zone: fc.constantFrom(...zones),
      granularity: fc.constantFrom(...served.map(({ granularity }) => granularity)),
      around: fc.constantFrom(...made),
      before: fc.integer({ min: 2, max: mostBuckets }),
      after: fc.integer({ min: 2, max: mostBuckets }),
      off: fc.tuple(fc.double({ min: 0, max: 0.99, noNaN: true }), fc.double({ min: 0, max: 0.99, noNaN: true })),
    });
    for (const one of fc.sample(drawn, { numRuns: windows, seed: Math.floor(t.random() * 2 ** 31) })) await decide(one);
    if (judged.length === 0)
      throw new NotApplicable("no window that was drawn was answered with buckets that say when they begin");
    judgeBeginnings(
      t,
      judged.filter(({ granularity }) => understood.has(granularity.name)),
    );
  },
});

/** A window that was shown in buckets which say when they begin. */
interface JudgedWindow {
  readonly zone: string;
  readonly granularity: Granularity;
  readonly buckets: readonly Bucket[];
  readonly pages: readonly Exchange[];
}

/** Decides whether the buckets of all windows begin when a clock shows a full one. */
function judgeBeginnings(t: CheckContext<"MET-22">, windows: readonly JudgedWindow[]): void {
  // The first may begin with its window.
  const all = windows.map(({ zone, granularity, buckets }): Beginnings => {
    return { zone, length: granularity.length, startsAt: buckets.slice(1).map(({ startsAt }) => startsAt) };
  });
  const stray = strayBeginning(all);
  const where = all.findIndex(({ zone, startsAt }) => zone === stray?.zone && startsAt.includes(stray.startsAt));
  const shown = windows[Math.max(where, 0)];
  if (shown === undefined) throw new NotApplicable("nothing tells one granularity from the others");
  t.verify("MET-22", stray === null, {
    expected: `buckets by ${shown.granularity.name} that begin with a full one in ${shown.zone}, or in one other zone for all`,
    actual: stray === null ? "those" : `one that begins at ${textOf(stray.startsAt)}`,
    exchanges: shown.pages.slice(0, 1),
    question: "Q230",
  });
}

/** Looks numbers up around the next change of each clock, in the order of time. */
async function lookUpAtNight(t: CheckContext, main: Credential): Promise<readonly [Made, ...Made[]]> {
  const { tenant } = main;
  const begun = await tenant.now();
  const instants = changing
    .flatMap((zone) => {
      const change = clockChange(zone, begun + 60 * minute);
      return change === null ? [] : minutesAfter.map((minutes) => change + minutes * minute);
    })
    .toSorted((one, other) => one - other);
  const made: Made[] = [];
  for (const instant of instants) {
    await tenant.advance(Math.round((instant - (await tenant.now())) / 1000), "a lookup at another time");
    const from = await tenant.now();
    await makeLookup(t, main);
    made.push({ from, until: await tenant.now() });
  }
  const [first, ...others] = made;
  if (first === undefined) throw new Error(`No clock of ${changing.join(", ")} is put within a year.`);
  return [first, ...others];
}

/** Decides what one window shows, and gives that; null where it shows nothing to decide on. */
async function judge(
  t: CheckContext<"MET-20">,
  main: Credential,
  made: readonly Made[],
  { zone, granularity, around, before, after, off }: Drawn,
): Promise<JudgedWindow | null> {
  const from = Math.round(around.from - (before + off[0]) * granularity.length);
  const to = Math.round(around.until + (after + off[1]) * granularity.length);
  const window = { from, to, granularity };
  let pages: readonly Exchange[] = [];
  let buckets: readonly Bucket[] | null = null;
  let faults: readonly string[] = [];
  for (let tries = 1; tries <= patience; tries += 1) {
    pages = await pagesOf(t, main, window, zone);
    buckets = bucketsOn(t, pages);
    if (buckets === null) return null;
    faults = faultsOf(buckets, made);
    if (faults.length === 0) break;
    if (tries < patience) await pause(t.timing.pollInterval);
  }
  t.verify("MET-20", faults.length === 0, {
    expected: "in each bucket what was looked up from its beginning until the next",
    actual: faults.length === 0 ? "that" : `by ${granularity.name}, in ${zone}: ${faults.join("; ")}`,
    exchanges: pages.slice(0, 3),
    question: "Q127",
  });
  return buckets && { zone, granularity, buckets, pages };
}

/** The pages of a window up to one that is refused; none where nothing leads to an end. */
async function pagesOf(
  t: CheckContext,
  main: Credential,
  window: MetricsWindow,
  timezone: string,
): Promise<readonly Exchange[]> {
  const pages: Exchange[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page = await callMetrics(t, main, window, cursor === "" ? { timezone } : { timezone, cursor });
    const last = pages.at(-1);
    if (!isSuccess(page) || (last !== undefined && isSamePage(last, page)) || pages.length >= mostPages) return [];
    pages.push(page);
    cursor = nextCursorOf(page);
  }
  return pages;
}

/** All buckets, the earliest first; null where they do not show when they begin, or how many lookups they hold. */
function bucketsOn(t: CheckContext, pages: readonly Exchange[]): readonly Bucket[] | null {
  const buckets = pages.flatMap((page) => {
    const counts = countsOf(t, page) ?? [];
    return (startsOf(t, page) ?? []).map((startsAt, index) => ({ startsAt, lookups: counts[index] ?? Number.NaN }));
  });
  const isShown = buckets.length > 2 && buckets.every((one) => Number.isFinite(one.startsAt + one.lookups));
  return isShown ? buckets.toSorted((one, other) => one.startsAt - other.startsAt) : null;
}

/** What buckets between the first and the last, of which the window may hold a part only, show and should not. */
function faultsOf(buckets: readonly Bucket[], made: readonly Made[]): readonly string[] {
  return buckets.slice(1, -1).flatMap(({ startsAt, lookups }, index) => {
    const next = buckets[index + 2]?.startsAt ?? Number.POSITIVE_INFINITY;
    const most = made.filter(({ from, until }) => until >= startsAt && from < next).length;
    const least = made.filter(({ from, until }) => from >= startsAt && until < next).length;
    const wanted = least === most ? `${least}` : `${least} to ${most}`;
    return lookups >= least && lookups <= most
      ? []
      : [
          `${lookups} lookups, of ${wanted}${most > 1 ? " of one number" : ""}, from ${textOf(startsAt)} to ${textOf(next)}`,
        ];
  });
}

const textOf = (instant: number): string => new Date(instant).toISOString();
