import { describe, expect, it } from "vitest";
import type { Attempt } from "./attempt.ts";
import { missingText, wrongRecords } from "./missing-attempts.ts";

const minute = 60_000;

/** An attempt so many minutes after the epoch; those of one event share its first digit. */
const attempt = (id: string, at: number, number: number): Attempt => ({
  ...{ id, endpointId: "endpoint", eventId: id.slice(0, 1), eventType: "brand.vetted" },
  ...{ attempt: number, outcome: number > 1 ? "retry" : "success", status: 500, at: at * minute },
});

const feed = [
  ...[attempt("a1", 0, 1), attempt("a2", 3, 2), attempt("a3", 6, 3)],
  ...[attempt("b1", 2, 1), attempt("b2", 4, 2), attempt("c1", 5, 1), attempt("d1", 6, 1)],
];
const since = minute;
const wanted = feed.filter(({ at }) => at >= since);

describe("missing attempts", () => {
  it("are counted, and told apart by when their event was tried first", () => {
    expect(missingText(wanted, ({ id }) => !["a2", "a3"].includes(id), feed, { since })).toBe(
      "2 of 6 missing, such as a2, attempt 2, brand.vetted at endpoint endpoint, retry, status 500, 1970-01-01T00:03:00.000Z, of an event that was tried first at 1970-01-01T00:00:00.000Z; all that are missing are those whose event was tried first before since",
    );
  });

  it("are told apart by being no first attempts", () => {
    expect(missingText(wanted, ({ attempt: number }) => number === 1, feed, { since })).toMatch(
      /^3 of 6 missing, .*; all that are missing are those that are later attempts than the first, or with outcome retry$/,
    );
  });

  it("are not told apart where nothing does that, or all are missing", () => {
    expect(missingText(wanted, ({ id }) => id !== "c1", feed, { since })).not.toContain("all that are missing");
    expect(missingText(wanted, () => false, feed, { since })).toMatch(/^6 of 6 missing, [^;]*$/);
  });
});

describe("wrong records", () => {
  const record = (at: number, outcome: string) => ({
    attempt: at,
    outcome,
    response_status: 500,
    event_type: "brand.vetted",
  });
  const records = [record(1, "retry"), record(2, "retry"), record(3, "retry"), record(8, "dead")];

  it("are counted, with what sets them apart", () => {
    expect(wrongRecords(records, ({ outcome }) => outcome === "dead")).toEqual({
      text: "1 of 4, those with outcome dead",
      isApart: true,
    });
    expect(wrongRecords(records, ({ attempt }) => Number(attempt) > 1)).toEqual({
      text: "3 of 4, those that are later attempts than the first",
      isApart: true,
    });
  });

  it("are counted alone where nothing sets them apart", () => {
    expect(wrongRecords(records, ({ attempt }) => attempt === 2)).toEqual({ text: "1 of 4", isApart: false });
  });
});
