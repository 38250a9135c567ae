import type { BucketSize } from "../../context/draws.ts";

/** Calls at one moment, and the pause after them. */
export interface Spell {
  readonly calls: number;
  readonly pauseSeconds: number;
}

/** For a larger limit, several calls share a moment: the clock moves about this often in two periods. */
const spellsInTwoPeriods = 12;

/** Up to this capacity a check observes more periods, because few calls suffice for them. */
const smallCapacity = 12;
const smallMultiple = 4.5;
const largeMultiple = 1.15;

/**
 * Calls that are as close together as every way to keep a limit must admit: any two periods have at most as many as the
 * limit. They never pause for a whole period unless the limit is one or two. `units` is what each call draws.
 */
export function steadySpells({ capacity, periodSeconds }: BucketSize, units = 1): readonly Spell[] {
  const admitted = Math.floor(capacity / units);
  const calls = Math.max(1, Math.floor(admitted / spellsInTwoPeriods));
  const spellsInSpan = Math.floor(admitted / calls);
  const pauseSeconds = upToMillisecond(((2 * periodSeconds) / spellsInSpan) * 1.02);
  const total = admitted * (admitted <= smallCapacity ? smallMultiple : largeMultiple);
  return Array<Spell>(Math.ceil(total / calls) + 1).fill({ calls, pauseSeconds });
}

/** The limit of `unevenSpells`. */
export const unevenCapacity = 26;

/** Pauses of uneven calls, in parts of the time in which one unit refills. */
const unevenPauses = [0.95, 1.95] as const;

/**
 * Single calls after pauses that refill a little less than one and than two units. On average 1.45 units refill for each
 * call, so that a limit of this size admits all calls: bucket, log, turning window, an estimate from the window before, and
 * counts in thirds of a period or smaller parts. A bucket that drops fractions of a unit loses one unit in two calls.
 */
export function unevenSpells(periodSeconds: number): readonly Spell[] {
  const refillSeconds = periodSeconds / unevenCapacity;
  const pair = unevenPauses.map((pause) => ({ calls: 1, pauseSeconds: upToMillisecond(pause * refillSeconds) }));
  return Array.from({ length: unevenCapacity + 2 }, () => pair).flat();
}

const upToMillisecond = (seconds: number): number => Math.ceil(seconds * 1000) / 1000;
