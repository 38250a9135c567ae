import { expect, it } from "vitest";
import { segmentsOf } from "./segments.ts";

it.each([
  ["a text that fills one segment", "a".repeat(160), 1],
  ["one character more", "a".repeat(161), 2],
  ["a text that fills two", "a".repeat(306), 2],
  ["one character more than two", "a".repeat(307), 3],
  ["characters of the extension, which take two places", "€".repeat(80), 1],
  ["one more of them", "€".repeat(81), 2],
  ["other characters", "щ".repeat(70), 1],
  ["one more other character", "щ".repeat(71), 2],
  ["characters beyond sixteen bits, which take two places", "😀".repeat(35), 1],
  ["one more of those", "😀".repeat(36), 2],
])("%s takes its segments", (_what, text, segments) => {
  expect(segmentsOf(text)).toBe(segments);
});
