import { describe, expect, it } from "vitest";
import { millisecondFrom, millisecondUpTo } from "./instant.ts";

const at = Date.UTC(2030, 0, 2, 3, 4, 5, 678);

describe("an RFC 3339 text", () => {
  it.each([
    "2030-01-02T03:04:05.678Z",
    "2030-01-02t03:04:05.678000z",
    "2030-01-02 03:04:05.678Z",
    "2030-01-02T05:34:05.678+02:30",
    "2030-01-01T23:04:05.678-04:00",
    "2030-01-02T05:04:05.678+02",
    "2030-01-02T05:34:05.678+0230",
  ])("%s names one instant, however it is written", (text) => {
    expect([millisecondFrom(text), millisecondUpTo(text)]).toEqual([at, at]);
  });

  it("lies between two milliseconds where it is finer than one", () => {
    const text = "2030-01-02T03:04:05.6780001Z";
    expect([millisecondFrom(text), millisecondUpTo(text)]).toEqual([at + 1, at]);
  });

  it("keeps milliseconds that no binary fraction has", () => {
    for (const part of ["001", "005", "999"])
      expect(millisecondUpTo(`1970-01-01T00:00:01.${part}Z`)).toBe(1000 + Number(part));
  });

  it("may be a leap second or lie far back", () => {
    expect(millisecondUpTo("2016-12-31T23:59:60Z")).toBe(Date.UTC(2017, 0, 1));
    expect(millisecondUpTo("0000-01-01T00:00:00Z")).toBe(Date.parse("0000-01-01T00:00:00Z"));
    expect(Number.isSafeInteger(millisecondUpTo("9999-12-31T23:59:59.999-23:59"))).toBe(true);
  });
});
