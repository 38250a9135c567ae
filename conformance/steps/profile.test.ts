import { expect, test } from "vitest";
import { shownFor, timezones } from "./profile.ts";

test("another name of the same zone may be shown, and neither another zone, nor another case, nor what is none", () => {
  expect(shownFor("Asia/Kolkata", "Asia/Calcutta")).toBe("Asia/Calcutta");
  expect(shownFor("America/Argentina/Buenos_Aires", "America/Buenos_Aires")).toBe("America/Buenos_Aires");
  for (const shown of ["Asia/Tokyo", "asia/kolkata", "Mars/Olympus_Mons", "", null, undefined, 7])
    expect(shownFor("Asia/Kolkata", shown)).toBe("Asia/Kolkata");
  // What one of them was set to is never taken for another one.
  for (const one of timezones)
    expect(timezones.filter((other) => other !== one && shownFor(one, other) === other)).toEqual([]);
});
