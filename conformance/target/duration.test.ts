import { expect, test } from "vitest";
import { durationText, millisecondsOf } from "./duration.ts";

test.each([
  ["500ms", 500],
  ["10s", 10_000],
  ["2m", 120_000],
  ["1h", 3_600_000],
  ["1.5s", 1500],
  ["90", 90_000],
  [" 3 s ", 3000],
  [0, 0],
])("%s is %i ms", (text, milliseconds) => {
  expect(millisecondsOf(text)).toBe(milliseconds);
});

test.each(["", "soon", "-1s", "1d", "1e3", "10 s s", "9".repeat(30)])("%j is no length of time", (text) => {
  expect(millisecondsOf(text)).toBeNull();
});

test.each([
  [0, "0 ms"],
  [250, "250 ms"],
  [2345, "2.3 s"],
  [60_000, "1 min"],
  [185_000, "3 min 5 s"],
  [3_720_000, "1 h 2 min"],
])("%i ms reads %s", (milliseconds, text) => {
  expect(durationText(milliseconds)).toBe(text);
});
