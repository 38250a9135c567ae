import type { Draw } from "./draw.ts";

/*
 * Windows of one period each, counted from 1970: `mark` is the beginning of the present one, in milliseconds, and
 * `used` what was drawn in it.
 */

/** Beginning of the window that the draw falls into, and its length, in milliseconds. */
export function windowOf({ size, now }: Draw): { readonly start: number; readonly period: number } {
  const period = size.periodSeconds * 1000;
  return { start: now - (now % period), period };
}

export function waitMilliseconds(draw: Draw): number {
  const { start, period } = windowOf(draw);
  return start + period - draw.now;
}
