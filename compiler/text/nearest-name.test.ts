import { expect, test } from "vitest";
import { didYouMean, nearestName } from "./nearest-name.ts";

const names = [
  "apikeysWrite",
  "apiKeyWrites",
  "base_url",
  "key",
  "other_key",
  "KEYC-15",
  "KEYC-16",
  "api-keys.create-answer",
];

test.each([
  ["base_rul", "base_url"],
  ["BASE_URL", "base_url"],
  ["keyc-15", "KEYC-15"],
  ["KEYC-155", "KEYC-15"],
  ["kye", "key"],
  ["apiKeyWrite", "apiKeyWrites"],
  ["api-keys.cre", "api-keys.create-answer"],
  ["api-keys.creat-anwser", "api-keys.create-answer"],
])("%s is near %s", (name, nearest) => {
  expect(nearestName(name, names)).toBe(nearest);
});

test.each(["", "zzz", "password", "x".repeat(100_000)])("%.20s is near nothing", (name) => {
  expect(nearestName(name, names)).toBeNull();
  expect(didYouMean(name, names)).toBe("");
});
