import { expect, it } from "vitest";
import { besideText, momentOf, spanText } from "./spans.ts";

it("tells spans in their two longest units", () => {
  expect([0, 250, 30_000, 3_600_000, 5_430_000, 86_400_000, -90_061_000].map(spanText)).toEqual([
    ...["0 ms", "250 ms", "30 s", "1 h", "1 h 30 min", "1 d", "1 d 1 h"],
  ]);
});

it("tells a moment by another one", () => {
  expect([0, 3_600_000, -1000].map((span) => besideText("next_send_at", span))).toEqual([
    ...["next_send_at", "next_send_at + 1 h", "next_send_at - 1 s"],
  ]);
});

it("takes for moments what the API writes as such", () => {
  expect(["1970-01-01T00:00:01Z", "1970-01-01", "soon", 1, null].map(momentOf)).toEqual([1000, null, null, null, null]);
});
