import { describe, expect, it } from "vitest";
import { granularities, timeBuckets } from "./time-buckets.ts";

const minute = 60_000;
const hour = 60 * minute;

const textOf = (instant: number): string => new Date(instant).toISOString().slice(0, 16);

function startsOf(from: string, before: string, ...[granularity, zone]: readonly [string, string]): readonly string[] {
  const known = granularities.find((one) => one === granularity);
  if (known === undefined) throw new Error(`There is no granularity ${granularity}.`);
  const window = { from: Date.parse(`${from}Z`), before: Date.parse(`${before}Z`) };
  const { count, startOf } = timeBuckets(window, known, zone);
  return Array.from({ length: count + 1 }, (_, index) => textOf(startOf(index)));
}

describe("buckets of time", () => {
  it("are all that a window meets, whole, and end where the next would begin", () => {
    expect(startsOf("2030-01-01T10:30", "2030-01-01T12:00", "hour", "UTC")).toEqual([
      "2030-01-01T10:00",
      "2030-01-01T11:00",
      "2030-01-01T12:00",
    ]);
    expect(startsOf("2030-01-01T10:00", "2030-01-01T10:00:00.001", "minute", "UTC")).toEqual([
      "2030-01-01T10:00",
      "2030-01-01T10:01",
    ]);
  });

  it("begin with the days of a zone, of 23 and 25 hours where its clock is put", () => {
    expect(startsOf("2030-03-09T12:00", "2030-03-11T12:00", "day", "America/New_York")).toEqual([
      "2030-03-09T05:00",
      "2030-03-10T05:00",
      "2030-03-11T04:00",
      "2030-03-12T04:00",
    ]);
    expect(startsOf("2030-11-03T12:00", "2030-11-03T13:00", "day", "America/New_York")).toEqual([
      "2030-11-03T04:00",
      "2030-11-04T05:00",
    ]);
  });

  it("begin with full hours of zones that are half an hour or three quarters off", () => {
    expect(startsOf("2030-01-01T10:00", "2030-01-01T11:00", "hour", "Asia/Kolkata")).toEqual([
      "2030-01-01T09:30",
      "2030-01-01T10:30",
      "2030-01-01T11:30",
    ]);
    expect(startsOf("2030-01-01T10:20", "2030-01-01T10:30", "hour", "Asia/Kathmandu")).toEqual([
      "2030-01-01T10:15",
      "2030-01-01T11:15",
    ]);
  });

  it("have an hour of ninety minutes where a clock is put by half an hour", () => {
    // Lord Howe Island: back from 02:00 to 01:30 at 15:00 UTC, and forth from 02:00 to 02:30 at 15:30 UTC.
    expect(startsOf("2030-04-06T14:10", "2030-04-06T16:00", "hour", "Australia/Lord_Howe")).toEqual([
      "2030-04-06T14:00",
      "2030-04-06T15:30",
      "2030-04-06T16:30",
    ]);
    expect(startsOf("2030-10-05T14:40", "2030-10-05T16:10", "hour", "Australia/Lord_Howe")).toEqual([
      "2030-10-05T14:30",
      "2030-10-05T16:00",
      "2030-10-05T17:00",
    ]);
  });

  it("begin with Mondays and first days of months", () => {
    expect(startsOf("2030-01-06T23:00", "2030-01-07T00:00:00.001", "week", "UTC")).toEqual([
      "2029-12-31T00:00",
      "2030-01-07T00:00",
      "2030-01-14T00:00",
    ]);
    expect(startsOf("2030-01-31T23:30", "2030-03-01T00:00", "month", "Europe/Berlin")).toEqual([
      "2030-01-31T23:00",
      "2030-02-28T23:00",
      "2030-03-31T22:00",
    ]);
  });

  it.each(["UTC", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Chatham", "Africa/Monrovia"])(
    "follow each other without a gap in %s, and hold both ends of their window",
    (zone) => {
      for (const granularity of granularities) {
        const from = Date.UTC(2030, 2, 30, 3, 17);
        for (const length of [1, minute, 90 * minute, 50 * hour, 400 * hour]) {
          const { count, startOf } = timeBuckets({ from, before: from + length }, granularity, zone);
          const starts = Array.from({ length: count + 1 }, (_, index) => startOf(index));
          expect(starts).toEqual(starts.toSorted((one, other) => one - other));
          expect(new Set(starts).size).toBe(count + 1);
          expect(starts[0]).toBeLessThanOrEqual(from);
          expect(starts[1]).toBeGreaterThan(from);
          expect(starts.at(-2)).toBeLessThan(from + length);
          expect(starts.at(-1)).toBeGreaterThanOrEqual(from + length);
        }
      }
    },
  );
});
