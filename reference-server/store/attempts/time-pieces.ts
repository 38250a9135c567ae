import { every, periods } from "../migrations/0005-attempt-counts.ts";

/** Instants from `from` on and before `before`, in milliseconds since 1970. */
export interface Stretch {
  readonly from: number;
  readonly before: number;
}

/** Whole periods of one length that follow each other, by when they begin. */
export interface PeriodRun extends Stretch {
  readonly period: number;
}

/** A stretch that is no whole period, and the shortest period that it lies in. */
export interface Edge extends Stretch {
  readonly period: number;
  readonly startsAt: number;
}

export interface TimePieces {
  readonly runs: readonly PeriodRun[];
  readonly edges: readonly Edge[];
}

/** No instant that JavaScript knows lies further from 1970; it is a multiple of each period. */
const farthest = 8_640_000_000_000_000;

/** The fewest whole periods that make up the time from `since` to `until`, both included, and the two ends left over. */
export function timePieces(since: number | undefined, until: number | undefined): TimePieces {
  if (since === undefined && until === undefined)
    return { runs: [{ period: every.period, from: 0, before: 1 }], edges: [] };
  return cut({ from: since ?? -farthest, before: until === undefined ? farthest : until + 1 }, periods);
}

/** The same for one stretch and periods of any lengths, the longest first. */
export function cut(stretch: Stretch, [period, ...shorter]: readonly number[]): TimePieces {
  const { from, before } = stretch;
  if (from >= before) return { runs: [], edges: [] };
  if (period === undefined) return { runs: [], edges: [{ ...stretch, ...shortestAround(from) }] };
  const first = Math.min(Math.ceil(from / period) * period, before);
  const end = Math.max(Math.floor(before / period) * period, first);
  const [early, late] = [cut({ from, before: first }, shorter), cut({ from: end, before }, shorter)];
  const run = first < end ? [{ period, from: first, before: end }] : [];
  return { runs: [...early.runs, ...run, ...late.runs], edges: [...early.edges, ...late.edges] };
}

function shortestAround(instant: number): Pick<Edge, "period" | "startsAt"> {
  const [, period] = periods;
  return { period, startsAt: Math.floor(instant / period) * period };
}
