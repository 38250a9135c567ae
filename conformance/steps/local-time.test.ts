import { expect, it } from "vitest";
import { isZone, localTime, nextTimeText, quietAt, quietEnd, usualQuietHours } from "./local-time.ts";

const night = { start: "21:30", end: "07:15" };

it("shows each zone its own time, in the night of a change too", () => {
  const at = (text: string, zone: string) => localTime(Date.parse(text), zone);
  expect(at("2026-01-15T04:00:00Z", "America/New_York")).toBe("23:00");
  expect(at("2026-01-15T05:00:00Z", "America/New_York")).toBe("00:00");
  expect(at("2026-01-15T04:00:00Z", "America/St_Johns")).toBe("00:30");
  expect([at("2025-03-09T06:59:00Z", "America/New_York"), at("2025-03-09T07:00:00Z", "America/New_York")]).toEqual([
    "01:59",
    "03:00",
  ]);
});

it("tells what is quiet, and what is too near to an end to tell", () => {
  const at = (text: string) => quietAt(Date.parse(text), "America/New_York", night);
  expect([at("2026-01-15T02:27:00Z"), at("2026-01-15T02:29:00Z"), at("2026-01-15T02:33:00Z")]).toEqual([
    false,
    "vague",
    true,
  ]);
});

it("finds the end, also where an hour is missing", () => {
  const end = (text: string) => new Date(quietEnd(Date.parse(text), "America/New_York", night)).toISOString();
  expect(end("2026-01-15T04:00:20Z")).toBe("2026-01-15T12:15:00.000Z");
  expect(end("2025-03-09T04:00:00Z")).toBe("2025-03-09T11:15:00.000Z");
});

it("knows zones from offsets and other texts", () => {
  expect(["America/New_York", "UTC", "US/Eastern"].filter(isZone)).toHaveLength(3);
  expect(["+05:00", "-0500", "Mars/Base", "", null, 5].filter(isZone)).toEqual([]);
});

it("finds when to come again for a zone that is quiet, or one that is not", () => {
  const zones = ["America/Halifax", "America/New_York", "Pacific/Honolulu"];
  const next = (text: string, isQuiet: boolean, window = usualQuietHours) =>
    nextTimeText(Date.parse(text), zones, (at, zone) => quietAt(at, zone, window) === isQuiet);
  // In the afternoon by UTC it is day everywhere, until it is night in the east.
  expect(next("2026-01-15T19:00:10Z", true)).toBe("2026-01-16T01:02:00.000Z, when it is 21:02 in America/Halifax");
  expect(next("2026-07-15T19:00:10Z", true)).toBe("2026-07-16T00:02:00.000Z, when it is 21:02 in America/Halifax");
  expect(next("2026-01-16T04:00:00Z", true)).toBe("2026-01-16T04:00:00.000Z, when it is 00:00 in America/Halifax");
  // When it is late in the west, it is night everywhere, until it is morning in the east.
  expect(next("2026-01-15T09:00:10Z", false)).toBe("2026-01-15T12:02:00.000Z, when it is 08:02 in America/Halifax");
  expect(next("2026-01-15T06:30:00Z", false)).toBe("2026-01-15T06:30:00.000Z, when it is 20:30 in Pacific/Honolulu");
  // The night in which clocks go forward, and hours that leave out what a zone's clock never shows.
  const lost = { start: "02:00", end: "03:00" };
  expect(
    nextTimeText(
      Date.parse("2025-03-09T05:30:00Z"),
      ["America/New_York"],
      (at, zone) => quietAt(at, zone, lost) === true,
    ),
  ).toBe("2025-03-10T06:02:00.000Z, when it is 02:02 in America/New_York");
  expect(nextTimeText(0, zones, () => false)).toBeNull();
});
