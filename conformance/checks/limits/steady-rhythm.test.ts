import { describe, expect, test } from "vitest";
import { type BucketSize, bucketSize } from "../../context/draws.ts";
import { dueAt, type LimitedCall } from "./envelope.ts";
import { type Spell, steadySpells, unevenCapacity, unevenSpells } from "./steady-rhythm.ts";

type Limiter = (size: BucketSize) => (at: number) => boolean;

/** Offsets of windows, in parts of a period. */
const offsets = Array.from({ length: 40 }, (_, index) => index / 40);

const conforming: readonly (readonly [string, Limiter])[] = [
  ["a bucket that refills evenly", (size) => bucket(size, (tokens) => tokens)],
  ["a bucket that refills in ticks of a unit", (size) => ticking(size, size.capacity)],
  ["a bucket that refills in halves", (size) => ticking(size, 2)],
  ["a bucket that refills at once", (size) => ticking(size, 1)],
  ["a log", logged],
  ["a window that begins with the first call", anchored],
  ...offsets.map((offset) => [`windows at ${offset}`, (size: BucketSize) => windows(size, offset, () => 0)] as const),
  ...offsets.map(
    (offset) => [`estimated windows at ${offset}`, (size: BucketSize) => windows(size, offset, estimated)] as const,
  ),
  ...[3, 4, 6, 10, 60].flatMap((parts) =>
    offsets.map(
      (offset) => [`${parts} parts at ${offset}`, (size: BucketSize) => inParts(size, parts, offset)] as const,
    ),
  ),
];

const faulty: readonly (readonly [string, Limiter])[] = [
  ["a counter whose expiry each call renews", renewed],
  ["a limit that counts three periods", (size) => logged({ ...size, periodSeconds: 3 * size.periodSeconds })],
  ["a bucket that never refills", (size) => bucket(size, () => 0)],
];

const sizes: readonly (readonly [size: BucketSize, units: number])[] = [
  [bucketSize("apiKeyWrites"), 1],
  [bucketSize("contactErasures"), 1],
  [{ capacity: 12, periodSeconds: 60 }, 3],
  ...[3, 4, 5, 20, 60, 100, 300].map((capacity) => [{ capacity, periodSeconds: 60 }, 1] as const),
];

describe("calls at a steady rhythm", () => {
  test.each(conforming)("%s admits them", (_, limiter) => {
    for (const [size, units] of sizes) expect(refusedOf(limiter(size), steadySpells(size, units), units)).toBe(0);
  });

  test.each(faulty)("%s refuses one of them", (_, limiter) => {
    for (const [size, units] of sizes)
      expect(refusedOf(limiter(size), steadySpells(size, units), units)).toBeGreaterThan(0);
  });

  test("are admitted by every valid limit", () => {
    for (const [size, units] of sizes) {
      const before: LimitedCall[] = [];
      for (const at of timesOf(steadySpells(size, units), units)) {
        expect(dueAt(at, before, [size])).toBe("admitted");
        before.push({ at, admitted: true });
      }
    }
  });
});

describe("calls at uneven pauses", () => {
  const size = { capacity: unevenCapacity, periodSeconds: 60 };

  test.each(conforming)("%s admits them", (_, limiter) => {
    expect(refusedOf(limiter(size), unevenSpells(size.periodSeconds))).toBe(0);
  });

  test("a bucket that drops fractions refuses one of them", () => {
    expect(refusedOf(bucket(size, Math.floor), unevenSpells(size.periodSeconds))).toBeGreaterThan(0);
  });
});

function timesOf(spells: readonly Spell[], units = 1): readonly number[] {
  let at = 0;
  return spells.flatMap(({ calls, pauseSeconds }) => {
    const times = Array<number>(calls * units).fill(at);
    at += pauseSeconds;
    return times;
  });
}

const refusedOf = (admits: (at: number) => boolean, spells: readonly Spell[], units = 1): number =>
  timesOf(spells, units).filter((at) => !admits(at)).length;

/** A bucket that refills at each call by the units since the call before. */
function bucket({ capacity, periodSeconds }: BucketSize, earned: (tokens: number) => number) {
  let [tokens, then] = [capacity, 0];
  return (at: number): boolean => {
    tokens = Math.min(capacity, tokens + earned(((at - then) * capacity) / periodSeconds));
    then = at;
    if (tokens < 1 - 1e-9) return false;
    tokens -= 1;
    return true;
  };
}

function ticking({ capacity, periodSeconds }: BucketSize, ticksInPeriod: number) {
  let [tokens, tick] = [capacity, 0];
  return (at: number): boolean => {
    const now = Math.floor((at * ticksInPeriod) / periodSeconds);
    tokens = Math.min(capacity, tokens + ((now - tick) * capacity) / ticksInPeriod);
    tick = now;
    if (tokens < 1 - 1e-9) return false;
    tokens -= 1;
    return true;
  };
}

function logged({ capacity, periodSeconds }: BucketSize) {
  const log: number[] = [];
  return (at: number): boolean => {
    // Both ends count.
    if (log.filter((then) => at - then <= periodSeconds).length >= capacity) return false;
    log.push(at);
    return true;
  };
}

function anchored({ capacity, periodSeconds }: BucketSize) {
  let [start, count] = [Number.NEGATIVE_INFINITY, 0];
  return (at: number): boolean => {
    if (at - start > periodSeconds) [start, count] = [at, 0];
    count += 1;
    return count <= capacity;
  };
}

function renewed({ capacity, periodSeconds }: BucketSize) {
  let [last, count] = [Number.NEGATIVE_INFINITY, 0];
  return (at: number): boolean => {
    if (at - last >= periodSeconds) count = 0;
    last = at;
    count += 1;
    return count <= capacity;
  };
}

const estimated = (before: number, part: number): number => before * (1 - part);

function windows(
  { capacity, periodSeconds }: BucketSize,
  offset: number,
  carried: (before: number, part: number) => number,
) {
  const counts = new Map<number, number>();
  return (at: number): boolean => {
    const place = at / periodSeconds + offset;
    const window = Math.floor(place);
    const count = counts.get(window) ?? 0;
    if (carried(counts.get(window - 1) ?? 0, place - window) + count + 1 > capacity) return false;
    counts.set(window, count + 1);
    return true;
  };
}

/** Counts in parts of a period: the present part and as many before it as a period has. */
function inParts({ capacity, periodSeconds }: BucketSize, parts: number, offset: number) {
  const counts = new Map<number, number>();
  return (at: number): boolean => {
    const part = Math.floor((at / periodSeconds + offset) * parts);
    let sum = 0;
    for (let index = part - parts; index <= part; index += 1) sum += counts.get(index) ?? 0;
    if (sum >= capacity) return false;
    counts.set(part, (counts.get(part) ?? 0) + 1);
    return true;
  };
}
