import fc from "fast-check";
import { expect, it } from "vitest";
import { periods } from "../migrations/0005-attempt-counts.ts";
import { timePieces } from "./time-pieces.ts";

const [day, shortest] = periods;

it("makes up a time of whole periods and at most two ends, with no instant twice or left out", () => {
  const instant = fc.oneof(
    fc.integer({ min: -3 * day, max: 3 * day }),
    fc.integer({ min: -300, max: 300 }).map((n) => n * shortest),
  );
  fc.assert(
    fc.property(instant, instant, (since, until) => {
      const { runs, edges } = timePieces(since, until);
      const inOrder = [...runs, ...edges].toSorted((one, other) => one.from - other.from);
      let reached = since;
      for (const { from, before } of inOrder) {
        // Zero has two signs, and sums have one of them.
        expect(from + 0).toBe(reached + 0);
        expect(before).toBeGreaterThan(from);
        reached = before;
      }
      expect(reached + 0).toBe(Math.max(since, until + 1));
      for (const { from, before, period } of runs)
        expect([from % period, before % period].map(Math.abs)).toEqual([0, 0]);
      expect(runs.length).toBeLessThan(4);
      expect(edges.length).toBeLessThan(3);
      for (const { from, before, period, startsAt } of edges) {
        expect(startsAt).toBeLessThanOrEqual(from);
        expect(before).toBeLessThanOrEqual(startsAt + period);
      }
    }),
  );
});

it("takes as many days as there are, and looks beyond no end that is open", () => {
  const [run] = timePieces(day, undefined).runs;
  expect(run).toMatchObject({ period: day, from: day });
  expect(timePieces(undefined, day - 1)).toMatchObject({ runs: [{ period: day, before: day }], edges: [] });
  expect(timePieces(undefined, undefined)).toEqual({ runs: [{ period: 0, from: 0, before: 1 }], edges: [] });
});
