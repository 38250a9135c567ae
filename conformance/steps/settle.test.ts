import { expect, test } from "vitest";
import type { CheckContext } from "../context/context.ts";
import type { Tenant } from "../provision/tenant.ts";
import { eventuallyByClock } from "./settle.ts";

/** Looks until the organization's clock has moved on so far, and tells by how many seconds it was moved at each look. */
async function movedUntil(from: number, { manualClock = true } = {}) {
  const moves: number[] = [];
  let now = 0;
  const tenant = {
    manualClock,
    async advance(seconds: number) {
      moves.push(seconds);
      now += seconds;
    },
  } as unknown as Tenant;
  const t = { timing: { pollInterval: 1, pollTimeout: 60 } } as unknown as CheckContext;
  const found = await eventuallyByClock(t, tenant, "something", async () => (now >= from ? "there" : null));
  return { moves, found };
}

test("what is there at once moves no clock, and what takes the organization's time is found by moving it", async () => {
  expect(await movedUntil(0)).toEqual({ moves: [0], found: "there" });
  const { moves, found } = await movedUntil(10);
  expect(found).toBe("there");
  expect(moves.slice(0, 2)).toEqual([0, 1]);
  expect(moves.reduce((sum, seconds) => sum + seconds, 0)).toBeLessThan(60);
});

test("what never comes is given up, however far the clock was moved", async () => {
  const { moves, found } = await movedUntil(Number.POSITIVE_INFINITY);
  expect(found).toBeNull();
  // Once all steps are made the clock stands, and what is due is still done.
  expect(moves.at(-1)).toBe(0);
});

test("a clock that runs by itself is not moved", async () => {
  expect(await movedUntil(0, { manualClock: false })).toEqual({ moves: [], found: "there" });
});
