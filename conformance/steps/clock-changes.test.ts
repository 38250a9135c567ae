import { expect, it } from "vitest";
import { clockChange } from "./clock-changes.ts";

const changeAfter = (zone: string, after: string): string | null => {
  const found = clockChange(zone, Date.parse(after));
  return found === null ? null : new Date(found).toISOString();
};

it("finds when a zone's clock is put next", () => {
  expect(changeAfter("America/New_York", "2030-01-01T12:34:56Z")).toBe("2030-03-10T07:00:00.000Z");
  expect(changeAfter("America/New_York", "2030-03-10T07:00:00Z")).toBe("2030-11-03T06:00:00.000Z");
  expect(changeAfter("Australia/Lord_Howe", "2030-01-01T00:00:00Z")).toBe("2030-04-06T15:00:00.000Z");
});

it("finds none where it never is", () => {
  expect(changeAfter("Asia/Kathmandu", "2030-01-01T00:00:00Z")).toBeNull();
  expect(changeAfter("UTC", "2030-01-01T00:00:00Z")).toBeNull();
});
