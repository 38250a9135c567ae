import { expect, test } from "vitest";
import { atOnceText } from "./at-once-text.ts";
import { exchange } from "./made-up-run.ts";

test("that no single call shows a finding is told where calls of its evidence were under way at once", () => {
  const [one, later] = [exchange(1, 201, ""), exchange(2, 201, "")];
  expect(atOnceText({ exchanges: [one, later], told: null })).toBeNull();
  const beside = { ...later, sentAt: one.sentAt + 1 };
  expect(atOnceText({ exchanges: [one, beside], told: null })).toMatch(/^2 calls were under way at once/);
});
