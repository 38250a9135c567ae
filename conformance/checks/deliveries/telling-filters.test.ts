import { expect, test } from "vitest";
import type { Attempt } from "../../steps/attempt.ts";
import { type Filters, treatmentOf } from "../../steps/filter-model.ts";
import { tellingFilters } from "./telling-filters.ts";

const minute = 60_000;

/** An attempt for each combination of two values of everything. */
const attempts: readonly Attempt[] = Array.from({ length: 32 }, (_, at): Attempt => {
  const bit = (place: number): 0 | 1 => (((at >> place) & 1) === 1 ? 1 : 0);
  return {
    ...{ id: `a${at}`, eventId: `e${at}`, attempt: 1, eventType: `type-${bit(0)}`, endpointId: `endpoint-${bit(1)}` },
    ...{ outcome: `outcome-${bit(2)}`, status: [200, 500][bit(3)] ?? null, at: bit(4) * 4 * minute },
  };
});

const pools = {
  endpointId: ["endpoint-0", "endpoint-1"],
  eventType: ["type-0", "type-1", "type-2"],
  outcome: ["outcome-0", "outcome-1", "outcome-2"],
  instant: [-1, 1, 3, 5].map((at) => at * minute),
  status: [599, 100, 499, 200, 201, 500],
};

const names: readonly (keyof Filters)[] = [
  ...(["endpointId", "eventType", "outcome", "since", "until", "statusMin", "statusMax"] as const),
];

test("beside each two filters every third one leaves out what nothing else does", () => {
  const chosen = tellingFilters(pools, attempts);
  const isToldBeside = (name: keyof Filters, ...others: readonly (keyof Filters)[]): boolean =>
    chosen.some((filters) => {
      if (![name, ...others].every((each) => filters[each] !== undefined)) return false;
      const { [name]: _, ...without } = filters;
      return attempts.some((a) => treatmentOf(a, filters) === "left out" && treatmentOf(a, without) === "kept");
    });
  const silent = names.flatMap((name) =>
    names.flatMap((one, at) =>
      names
        .slice(at + 1)
        .filter((other) => one !== name && other !== name && !isToldBeside(name, one, other))
        .map((other) => `${name} beside ${one} and ${other}`),
    ),
  );
  expect(silent).toEqual([]);
});

test("the same attempts give the same filters, each range in order, and no attempts none", () => {
  const chosen = tellingFilters(pools, attempts);
  expect(tellingFilters(pools, attempts)).toEqual(chosen);
  for (const { since = 0, until = Number.POSITIVE_INFINITY, statusMin = 0, statusMax = 599 } of chosen) {
    expect(since).toBeLessThan(until);
    expect(statusMin).toBeLessThanOrEqual(statusMax);
  }
  expect(tellingFilters(pools, [])).toEqual([]);
});
