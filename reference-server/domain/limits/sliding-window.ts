import type { Draw, LimitLevel } from "./draw.ts";
import { windowOf } from "./fixed-window.ts";

/*
 * Fixed windows, of which the one before the present still counts with the share that a window ending now has in it:
 * `earlier` is what was drawn in that one. All times are milliseconds.
 */

export function waitMilliseconds(level: LimitLevel, { size, units }: Draw, now: number): number {
  const { start, period } = windowOf(size, now);
  const elapsed = now - start;
  const { used, earlier } = inWindow(level, start, period);
  const room = size.capacity - units;
  // Within this window the share of the earlier one shrinks; behind it, that of this one.
  if (used <= room) return shrunkAfter(earlier, room - used, period) - elapsed;
  return period - elapsed + shrunkAfter(used, room, period);
}

/** The level as the window that begins at `start` sees it. */
function inWindow(level: LimitLevel, start: number, period: number): { used: number; earlier: number } {
  if (level.mark >= start) return level;
  return { used: 0, earlier: level.mark === start - period ? level.used : 0 };
}

/** How far into a window the share of an earlier count is at most `room`. */
function shrunkAfter(earlier: number, room: number, period: number): number {
  return earlier <= room ? 0 : Math.ceil(period - (room * period) / earlier);
}
