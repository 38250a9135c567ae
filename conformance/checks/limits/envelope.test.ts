import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dueAt, type LimitedCall } from "./envelope.ts";

const size = { capacity: 4, periodSeconds: 60 };
const { capacity, periodSeconds } = size;

/** A way to keep a limit: whether it admits a call at that second. */
type Limiter = () => (at: number) => boolean;

const lawful: readonly (readonly [string, Limiter])[] = [
  ["a bucket that refills evenly", () => jointBuckets([size])],
  ["windows that turn", () => windowed(() => 0)],
  ["windows that turn at another second", () => windowed(() => 0, 17)],
  ["windows that are estimated from the one before", () => windowed((before, part) => before * (1 - part))],
  ["a log of what was admitted", () => logged(false)],
  ["a log of what was called", () => logged(true)],
];

function windowed(carried: (before: number, part: number) => number, offset = 0): (at: number) => boolean {
  const counts = new Map<number, number>();
  return (at) => {
    const place = (at + offset) / periodSeconds;
    const window = Math.floor(place);
    const count = counts.get(window) ?? 0;
    if (carried(counts.get(window - 1) ?? 0, place - window) + count + 1 > capacity) return false;
    counts.set(window, count + 1);
    return true;
  };
}

function logged(refused: boolean): (at: number) => boolean {
  const log: number[] = [];
  return (at) => {
    const admits = log.filter((then) => at - then < periodSeconds).length < capacity;
    if (admits || refused) log.push(at);
    return admits;
  };
}

/** What a way to keep the limit did that no lawful way does. */
function breachesOf(limiter: Limiter, pauses: readonly number[], sizes = [size]): readonly string[] {
  const admits = limiter();
  const calls: LimitedCall[] = [];
  const breaches: string[] = [];
  let at = 0;
  for (const pause of pauses) {
    at += pause;
    const due = dueAt(at, calls, sizes);
    const admitted = admits(at);
    if (due !== "either" && admitted !== (due === "admitted")) breaches.push(`${at}: due ${due}`);
    calls.push({ at, admitted });
  }
  return breaches;
}

const pauses = fc.array(fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat({ max: 150 })), { maxLength: 40 });

describe("the envelope of lawful limits", () => {
  test.each(lawful)("holds %s", (_, limiter) => {
    fc.assert(
      fc.property(pauses, (some) => {
        expect(breachesOf(limiter, some)).toEqual([]);
      }),
      { seed: 1, numRuns: 2_000 },
    );
  });

  const unlawful: readonly (readonly [string, Limiter])[] = [
    ["one that admits everything", () => () => true],
    ["one that admits nothing", () => () => false],
    ["one of a larger capacity", () => bucketOf(capacity + 1, periodSeconds)],
    ["one of a smaller capacity", () => bucketOf(capacity - 1, periodSeconds)],
    ["one that never refills", () => bucketOf(capacity, 1e9)],
    ["one that refills too fast", () => bucketOf(capacity, periodSeconds / 4)],
  ];

  test.each(unlawful)("does not hold %s", (_, limiter) => {
    const found = fc.check(
      fc.property(pauses, (some) => breachesOf(limiter, some).length === 0),
      { seed: 1, numRuns: 2_000 },
    );
    expect(found.failed).toBe(true);
  });
});

describe("the envelope of limits that are drawn from together", () => {
  const minute = { capacity: 5, periodSeconds: 60 };
  const second = { capacity: 4, periodSeconds: 2 };
  const sizes = [second, minute];
  // Where one call a second is most, more than a minute holds come in less than a minute.
  const pause = fc.oneof({ weight: 6, arbitrary: fc.nat({ max: 1 }) }, { weight: 1, arbitrary: fc.nat({ max: 150 }) });
  const bursts = fc.array(pause, { maxLength: 60, size: "max" });

  const joint: readonly (readonly [string, Limiter])[] = [
    ["buckets that refill evenly", () => jointBuckets(sizes)],
    ["windows that turn", () => jointWindows(sizes)],
    ["buckets of which refused calls draw what there is", () => jointBuckets(sizes, "any")],
  ];
  test.each(joint)("holds %s", (_, limiter) => {
    fc.assert(
      fc.property(bursts, (some) => {
        expect(breachesOf(limiter, some, sizes)).toEqual([]);
      }),
      { seed: 1, numRuns: 2_000 },
    );
  });

  const unlawful: readonly (readonly [string, Limiter])[] = [
    ["one that forgets the longer limit", () => jointBuckets([second])],
    ["one that forgets the shorter limit", () => jointBuckets([minute])],
    ["one whose longer limit is smaller", () => jointBuckets([second, { ...minute, capacity: 2 }])],
    ["one whose longer limit is larger", () => jointBuckets([second, { ...minute, capacity: 20 }])],
  ];
  test.each(unlawful)("does not hold %s", (_, limiter) => {
    const found = fc.check(
      fc.property(bursts, (some) => breachesOf(limiter, some, sizes).length === 0),
      { seed: 1, numRuns: 2_000 },
    );
    expect(found.failed).toBe(true);
  });
});

/** Buckets that refill evenly. A refused call draws nothing, or whatever there is in any of them. */
function jointBuckets(sizes: readonly (typeof size)[], refusedDraws: "none" | "any" = "none"): (at: number) => boolean {
  let then = 0;
  const tokens = sizes.map((one) => one.capacity);
  // Sums of fractions fall short of whole numbers.
  const holdsOne = (count: number): boolean => count >= 1 - 1e-9;
  return (at) => {
    for (const [index, one] of sizes.entries()) {
      const grown = (tokens[index] ?? 0) + ((at - then) * one.capacity) / one.periodSeconds;
      tokens[index] = Math.min(one.capacity, grown);
    }
    then = at;
    const admits = tokens.every(holdsOne);
    for (const [index, count] of tokens.entries())
      if (admits || (refusedDraws === "any" && holdsOne(count))) tokens[index] = count - 1;
    return admits;
  };
}

function jointWindows(sizes: readonly (typeof size)[]): (at: number) => boolean {
  const counts = new Map<string, number>();
  return (at) => {
    const windows = sizes.map((one, index) => `${index} ${Math.floor(at / one.periodSeconds)}`);
    if (windows.some((window, index) => (counts.get(window) ?? 0) >= (sizes[index]?.capacity ?? 0))) return false;
    for (const window of windows) counts.set(window, (counts.get(window) ?? 0) + 1);
    return true;
  };
}

/** A bucket of that size that refills at once. */
function bucketOf(most: number, period: number): (at: number) => boolean {
  let [left, since] = [most, 0];
  return (at) => {
    if (at - since >= period) [left, since] = [most, at];
    left -= 1;
    return left >= 0;
  };
}
