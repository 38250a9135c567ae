import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { areaCodeZones } from "./area-code-zones.ts";
import { quietUntil } from "./quiet-until.ts";
import { zonesOfNumber } from "./recipient-zones.ts";

/** No telephone solicitation outside of 8 a.m. to 9 p.m. at the called party's: 47 CFR 64.1200(c)(1). */
const usualWindow = { start: "21:00", end: "08:00" };

const [newYork, losAngeles, stJohns] = ["America/New_York", "America/Los_Angeles", "America/St_Johns"];
const until = (at: string, zones: readonly string[], window = usualWindow): string | null => {
  const quiet = quietUntil(Date.parse(at), zones, window);
  return quiet && `${new Date(quiet.until).toISOString()} ${quiet.zone}`;
};

describe("quiet hours by a recipient's clock", () => {
  it.each([
    ["late in the evening", "2026-01-15T03:30:00Z", [newYork], "2026-01-15T13:00:00.000Z America/New_York"],
    ["after midnight", "2026-01-15T09:00:00.001Z", [newYork], "2026-01-15T13:00:00.000Z America/New_York"],
    ["at their first instant", "2026-01-15T02:00:00Z", [newYork], "2026-01-15T13:00:00.000Z America/New_York"],
    ["the instant before", "2026-01-15T01:59:59.999Z", [newYork], null],
    ["at their end", "2026-01-15T13:00:00Z", [newYork], null],
    ["in another zone at the same instant", "2026-01-15T03:30:00Z", [losAngeles], null],
    [
      "where the clock differs by half an hour",
      "2026-07-15T10:29:00Z",
      [stJohns],
      "2026-07-15T10:30:00.000Z America/St_Johns",
    ],
    [
      "in one of two zones",
      "2026-01-15T14:00:00Z",
      [newYork, losAngeles],
      "2026-01-15T16:00:00.000Z America/Los_Angeles",
    ],
    ["in both", "2026-01-15T12:00:00Z", [losAngeles, newYork], "2026-01-15T16:00:00.000Z America/Los_Angeles"],
    ["in none", "2026-01-15T18:00:00Z", [newYork, losAngeles], null],
    ["anywhere, for somebody of nowhere", "2026-01-15T03:30:00Z", [], null],
  ])("%s", (_when, at, zones, expected) => {
    expect(until(at, zones)).toBe(expected);
  });

  it.each([
    ["an hour less in a night in March", "2026-03-08T05:00:00Z", usualWindow, "2026-03-08T12:00:00.000Z"],
    ["an hour more in a night in November", "2026-11-01T04:00:00Z", usualWindow, "2026-11-01T13:00:00.000Z"],
    ["an end that is skipped", "2026-03-08T06:00:00Z", { start: "21:00", end: "02:30" }, "2026-03-08T07:00:00.000Z"],
    ["an end that comes twice", "2026-11-01T05:00:00Z", { start: "21:00", end: "01:30" }, "2026-11-01T05:30:00.000Z"],
    ["and its second time", "2026-11-01T06:10:00Z", { start: "21:00", end: "01:30" }, "2026-11-01T06:30:00.000Z"],
  ])("%s", (_what, at, window, expected) => {
    expect(until(at, [newYork], window)).toBe(`${expected} ${newYork}`);
  });

  it("ends at the first minute that is not quiet in any zone, and lasts for all before", () => {
    const minute = 60_000;
    const clock = (zone: string) =>
      new Intl.DateTimeFormat("en-GB", { timeZone: zone, hour: "2-digit", minute: "2-digit" });
    const clocks = new Map(areaCodeZones.flatMap(([zones]) => zones.split(" ")).map((zone) => [zone, clock(zone)]));
    const sets = areaCodeZones.map(([zones]) => zones.split(" "));
    const time = fc.integer({ min: 0, max: 24 * 60 - 1 }).map((total) => {
      const text = (part: number) => String(part).padStart(2, "0");
      return `${text(Math.floor(total / 60))}:${text(total % 60)}`;
    });
    // Around the nights in which clocks are changed too.
    const nights = ["2026-03-08", "2026-11-01", "2026-06-20", "2027-03-14"].map((day) =>
      Date.parse(`${day}T00:00:00Z`),
    );
    const at = fc
      .tuple(fc.constantFrom(...nights), fc.integer({ min: 0, max: 36 * 60 - 1 }))
      .map(([night, minutes]) => night + minutes * minute);
    fc.assert(
      fc.property(at, fc.constantFrom(...sets), time, time, (from, zones, start, end) => {
        fc.pre(start !== end);
        const isQuiet = (instant: number): boolean =>
          zones.some((zone) => {
            const now = clocks.get(zone)?.format(instant) ?? "";
            return start < end ? now >= start && now < end : now >= start || now < end;
          });
        let first = from;
        while (isQuiet(first) && first < from + 3 * 24 * 60 * minute) first += minute;
        fc.pre(!isQuiet(first));
        expect(quietUntil(from, zones, { start, end })?.until ?? from).toBe(first);
      }),
      { numRuns: 300 },
    );
  });
});

it.each([
  ["Washington", "+12025550123", ["America/New_York"]],
  ["Indiana", "+12195550123", ["America/Chicago", "America/New_York"]],
  ["Newfoundland and Labrador", "+17095550123", ["America/Halifax", "America/Puerto_Rico", "America/St_Johns"]],
  ["nowhere, free of charge", "+18005550123", []],
  ["France", "+33123456789", []],
])("a number of %s tells its zones", (_place, number, zones) => {
  expect(zonesOfNumber(number)).toEqual(zones);
});

it("every zone of the table is one that this Node knows", () => {
  const zones = areaCodeZones.flatMap(([names]) => names.split(" "));
  expect(() => zones.map((timeZone) => new Intl.DateTimeFormat("en", { timeZone }))).not.toThrow();
});
