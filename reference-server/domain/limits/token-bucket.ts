import type { Draw, LimitLevel } from "./draw.ts";

/*
 * A bucket that refills evenly, as the generic cell rate algorithm keeps it: `mark` is the instant, in microseconds
 * since 1970, at which it will be full again. A draw moves the mark on by its cost, from now if the bucket is full,
 * and is admitted while the mark stays within `now + burst`.
 */

/** What a draw costs, and how far ahead an empty bucket's mark is, in microseconds. */
export function costOf({ size, units }: Draw): { readonly cost: number; readonly burst: number } {
  // Rounded up, so that a bucket never refills too fast.
  const unit = Math.ceil((size.periodSeconds * 1_000_000) / size.capacity);
  return { cost: unit * units, burst: unit * size.capacity };
}

export function waitMilliseconds(level: LimitLevel, draw: Draw, now: number): number {
  const { cost, burst } = costOf(draw);
  return (level.mark + cost - burst) / 1000 - now;
}
