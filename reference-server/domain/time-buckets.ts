import { Temporal } from "temporal-polyfill";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** About how long a bucket of each granularity is, in milliseconds; the finest first. */
const lengths = { minute, hour, day, week: 7 * day, month: 30 * day } as const;

export type Granularity = keyof typeof lengths;

/** The finest first. */
export const granularities = Object.keys(lengths) as readonly Granularity[];

export const isGranularity = (text: string): text is Granularity => Object.hasOwn(lengths, text);

/** About how long a bucket is, in milliseconds. */
export const aboutLength = (granularity: Granularity): number => lengths[granularity];

/** Instants from `from` on and before `before`, in milliseconds since 1970; at least one. */
export interface Window {
  readonly from: number;
  readonly before: number;
}

/** Buckets that follow each other, all that a window meets. */
export interface TimeBuckets {
  readonly count: number;
  /** When one begins, in milliseconds since 1970; what `count` gives is when the last one ends. */
  startOf(index: number): number;
}

/**
 * The buckets of a window by the clock of a zone. Minutes and hours begin whenever that clock shows a full one, so that an
 * hour in which it is put by half an hour is a longer one; days, weeks, from Monday on, and months begin with a day.
 */
export function timeBuckets(window: Window, granularity: Granularity, zone: string): TimeBuckets {
  switch (granularity) {
    case "minute":
    case "hour":
      return clockBuckets(window, lengths[granularity], zone);
    case "day":
    case "week":
    case "month":
      return calendarBuckets(window, granularity, zone);
  }
}

/** Instants that are a whole length apart. */
interface Edges {
  readonly first: number;
  readonly count: number;
}

function clockBuckets({ from, before }: Window, length: number, zone: string): TimeBuckets {
  // No bucket is twice as long as the others.
  const edges = clockEdges({ from: from - 2 * length, before: before + 2 * length }, length, zone);
  const countBefore = (instant: number): number =>
    edges.reduce(
      (sum, { first, count }) => sum + Math.min(count, Math.max(0, Math.ceil((instant - first) / length))),
      0,
    );
  const skipped = countBefore(from + 1) - 1;
  return {
    count: countBefore(before) - skipped,
    startOf(index) {
      let left = index + skipped;
      for (const { first, count } of edges) {
        if (left < count) return first + left * length;
        left -= count;
      }
      throw new RangeError(`There is no bucket ${index}.`);
    },
  };
}

/** When a zone's clock shows a whole multiple of the length. */
function clockEdges({ from, before }: Window, length: number, zone: string): readonly Edges[] {
  const edges: Edges[] = [];
  for (let at = from; at < before; ) {
    const time = zoned(at, zone);
    const change = time.getTimeZoneTransition("next")?.epochMilliseconds ?? before;
    const end = Math.min(change, before);
    const offset = Math.round(time.offsetNanoseconds / 1e6);
    const first = Math.ceil((at + offset) / length) * length - offset;
    edges.push({ first, count: Math.max(0, Math.ceil((end - first) / length)) });
    at = end;
  }
  return edges;
}

function calendarBuckets({ from, before }: Window, granularity: "day" | "week" | "month", zone: string): TimeBuckets {
  const first = beginningOf(zoned(from, zone).toPlainDate(), granularity);
  const last = beginningOf(zoned(before - 1, zone).toPlainDate(), granularity);
  const unit = `${granularity}s` as const;
  return {
    count: first.until(last, { largestUnit: granularity })[unit] + 1,
    startOf: (index) => first.add({ [unit]: index }).toZonedDateTime(zone).epochMilliseconds,
  };
}

function beginningOf(date: Temporal.PlainDate, granularity: "day" | "week" | "month"): Temporal.PlainDate {
  switch (granularity) {
    case "day":
      return date;
    case "week":
      return date.subtract({ days: date.dayOfWeek - 1 });
    case "month":
      return date.with({ day: 1 });
  }
}

const zoned = (at: number, zone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
