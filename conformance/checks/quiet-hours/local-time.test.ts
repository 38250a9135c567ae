import { expect, it } from "vitest";
import { isZone, localTime, quietAt, quietEnd } from "./local-time.ts";

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
