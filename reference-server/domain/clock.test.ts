import { describe, expect, it } from "vitest";
import { timeOf, timestamp } from "./clock.ts";

describe("an organization's time", () => {
  it("is the world's on a real clock and its own on a manual one", () => {
    expect(timeOf({ mode: "real" }, 5)).toBe(5);
    expect(timeOf({ mode: "manual", at: 7 }, 5)).toBe(7);
  });
});

describe("a timestamp", () => {
  const instant = Date.UTC(2030, 0, 2, 3, 4, 5, 678);

  it("is UTC in the wanted precision", () => {
    expect(timestamp(instant)).toBe("2030-01-02T03:04:05.678Z");
    expect(timestamp(instant, "seconds")).toBe("2030-01-02T03:04:05Z");
    expect(timestamp(instant, "microseconds")).toBe("2030-01-02T03:04:05.678000Z");
  });
});
