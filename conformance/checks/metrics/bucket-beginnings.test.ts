import { describe, expect, test } from "vitest";
import { strayBeginning } from "./bucket-beginnings.ts";

const hour = 3_600_000;
const day = 24 * hour;

const daysFrom = (zone: string, first: string) => ({
  zone,
  length: day,
  startsAt: [0, 1, 2].map((days) => Date.parse(first) + days * day),
});

describe("the beginnings of buckets", () => {
  test("are full ones by the clocks of their zones", () => {
    const all = [
      daysFrom("Asia/Kolkata", "2026-01-10T18:30:00Z"),
      daysFrom("America/New_York", "2026-01-10T05:00:00Z"),
    ];
    expect(strayBeginning(all)).toBeNull();
  });

  test("may all go by one other clock", () => {
    const all = [
      daysFrom("Asia/Kolkata", "2026-01-10T08:00:00Z"),
      daysFrom("America/New_York", "2026-07-10T07:00:00Z"),
    ];
    expect(strayBeginning(all)).toBeNull();
  });

  test("are stray where they go by no clock that they have in common", () => {
    const all = [
      daysFrom("Asia/Kolkata", "2026-01-11T03:30:00Z"),
      daysFrom("America/New_York", "2026-01-10T14:00:00Z"),
    ];
    expect(strayBeginning(all)).toEqual({ zone: "Asia/Kolkata", startsAt: Date.parse("2026-01-11T03:30:00Z") });
  });

  test("are stray where no clock shows a full one", () => {
    const hours = { zone: "UTC", length: hour, startsAt: [Date.parse("2026-01-10T05:07:00Z")] };
    expect(strayBeginning([hours])).toEqual({ zone: "UTC", startsAt: hours.startsAt[0] });
  });

  test("may be full ones before or after the clock is put by half an hour", () => {
    const autumn = Date.parse("2026-04-04T15:00:00Z");
    const hours = {
      zone: "Australia/Lord_Howe",
      length: hour,
      startsAt: [autumn - hour, autumn, autumn + hour / 2, autumn + 1.5 * hour],
    };
    expect(strayBeginning([hours, daysFrom("Asia/Kolkata", "2026-01-10T18:30:00Z")])).toBeNull();
  });
});
