import { describe, expect, it } from "vitest";
import { allQuiet, noneQuiet } from "./come-again.ts";

const at = (text: string): number => Date.parse(text);

describe("where no send met quiet hours", () => {
  it("says when it is night somewhere, if it is not", () => {
    const { message, unblock } = noneQuiet(at("2026-01-15T19:00:00Z"));
    expect(message).toBe("no send met quiet hours at 2026-01-15T19:00:00.000Z");
    expect(unblock).toBe(
      "give the kit an organization that rejects in quiet hours, and run it at 2026-01-16T01:02:00.000Z, when it is 21:02 in America/Halifax, if they are from 21:00 to 08:00",
    );
  });

  it("wants an organization that has some, if it is", () => {
    expect(noneQuiet(at("2026-01-15T09:00:00Z")).unblock).toBe(
      "give the kit an organization that rejects in quiet hours",
    );
  });
});

describe("where every send met quiet hours", () => {
  const night = { start: "21:30", end: "07:15" };

  it("says when it is day somewhere", () => {
    const { message, unblock } = allQuiet(at("2026-07-15T08:00:00Z"), night);
    expect(message).toBe("it is quiet in all zones at 2026-07-15T08:00:00.000Z");
    expect(unblock).toBe("run the kit at 2026-07-15T10:17:00.000Z, when it is 07:17 in America/Halifax");
  });

  it("says so when that is never", () => {
    expect(allQuiet(0, { start: "00:00", end: "23:59" }).unblock).toBe(
      "shorten the organization's quiet hours: it never leaves those from 00:00 to 23:59",
    );
  });
});
