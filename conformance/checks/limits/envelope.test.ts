import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dueAt, type LimitedCall } from "./envelope.ts";

const size = { capacity: 4, periodSeconds: 60 };
const { capacity, periodSeconds } = size;

/** A way to keep a limit: whether it admits a call at that second. */
type Limiter = () => (at: number) => boolean;

const lawful: readonly (readonly [string, Limiter])[] = [
  [
    "a bucket that refills evenly",
    () => {
      let [tokens, then] = [capacity, 0];
      return (at) => {
        tokens = Math.min(capacity, tokens + ((at - then) * capacity) / periodSeconds);
        then = at;
        // Sums of fractions fall short of whole numbers.
        if (tokens < 1 - 1e-9) return false;
        tokens -= 1;
        return true;
      };
    },
  ],
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
function breachesOf(limiter: Limiter, pauses: readonly number[]): readonly string[] {
  const admits = limiter();
  const calls: LimitedCall[] = [];
  const breaches: string[] = [];
  let at = 0;
  for (const pause of pauses) {
    at += pause;
    const due = dueAt(at, calls, size);
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

/** A bucket of that size that refills at once. */
function bucketOf(most: number, period: number): (at: number) => boolean {
  let [left, since] = [most, 0];
  return (at) => {
    if (at - since >= period) [left, since] = [most, at];
    left -= 1;
    return left >= 0;
  };
}
