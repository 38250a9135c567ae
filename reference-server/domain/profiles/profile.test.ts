import { expect, it } from "vitest";
import { isTimezone, refuseTimezone } from "./profile.ts";

it.each(["America/New_York", "US/Pacific", "Asia/Calcutta", "UTC", "Etc/GMT+1", "EST", "europe/paris"])(
  "%s is the name of a timezone",
  (name) => expect(isTimezone(name)).toBe(true),
);

it.each(["", "Mars/Olympus", "+05:00", "-03:00", "GMT+1", "UTC+5", "PST", "America", " Europe/Paris", "Factory"])(
  "%j is no name of a timezone",
  (name) => {
    expect(isTimezone(name)).toBe(false);
    expect(refuseTimezone(name)?.details).toEqual({ timezone: expect.any(String) });
  },
);

it("asks for no timezone", () => expect(refuseTimezone(undefined)).toBeNull());
