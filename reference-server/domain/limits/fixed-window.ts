import type { Draw, LimitLevel, LimitSize } from "./draw.ts";

/*
 * Windows of one period each, counted from 1970: `mark` is the beginning of the present one, in milliseconds, and
 * `used` what was drawn in it.
 */

/** Beginning of the window that an instant falls into, and its length, in milliseconds. */
export function windowOf(
  { periodSeconds }: LimitSize,
  now: number,
): { readonly start: number; readonly period: number } {
  const period = periodSeconds * 1000;
  return { start: now - (now % period), period };
}

export function waitMilliseconds(level: LimitLevel, { size, units }: Draw, now: number): number {
  const { start, period } = windowOf(size, now);
  // A mark ahead of this process's clock was set by another process: its window holds.
  if (level.mark < start || level.used + units <= size.capacity) return 0;
  return level.mark + period - now;
}
