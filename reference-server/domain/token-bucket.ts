import type { Draw, LimitLevel } from "./draw.ts";

/*
 * A bucket that refills evenly, as the generic cell rate algorithm keeps it: `mark` is the instant, in microseconds
 * since 1970, at which it will be full again. A draw moves the mark on by its cost, from now if the bucket is full,
 * and is admitted while the mark stays within `now + burst`.
 */

export interface BucketDraw {
  readonly now: number;
  readonly cost: number;
  readonly burst: number;
}

/** The draw in microseconds. */
export function bucketDraw({ size, units, now }: Draw): BucketDraw {
  // Rounded up, so that a bucket never refills too fast.
  const unit = Math.ceil((size.periodSeconds * 1_000_000) / size.capacity);
  return { now: now * 1000, cost: unit * units, burst: unit * size.capacity };
}

export function waitMilliseconds(level: LimitLevel, draw: Draw): number {
  const { now, cost, burst } = bucketDraw(draw);
  return (level.mark + cost - burst - now) / 1000;
}
