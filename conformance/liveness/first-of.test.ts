import { expect, it } from "vitest";
import { firstOf } from "./first-of.ts";

it.each([0, 1])("fires with either, for its reason, and is one signal for the same two (%i)", (at) => {
  const both = [new AbortController(), new AbortController()] as const;
  const [one, other] = both;
  const first = firstOf(one.signal, other.signal);
  expect(firstOf(one.signal, other.signal)).toBe(first);
  expect(firstOf(one.signal, new AbortController().signal)).not.toBe(first);
  expect(first.aborted).toBe(false);
  both[at]?.abort("enough");
  expect([first.aborted, first.reason]).toEqual([true, "enough"]);
});
