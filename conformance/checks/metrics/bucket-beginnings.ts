import { offsetsAround } from "../../steps/clock-changes.ts";

const minute = 60_000;

/** Minutes by which clocks of the world are off UTC, those included that nobody has at present. */
const offsets = Array.from({ length: (14 + 12) * 4 + 1 }, (_, index) => index * 15 - 12 * 60);

/** Minutes by which clocks are put over the year. */
const puts = [0, 30, 60] as const;

/** Buckets that were asked for by the clock of a zone. */
export interface Beginnings {
  readonly zone: string;
  /** About how long a bucket is, in milliseconds. */
  readonly length: number;
  /** When each begins, in milliseconds since 1970. */
  readonly startsAt: readonly number[];
}

/** Whether a clock that is off UTC by so many minutes shows a full hour, day or the like of that length. */
const isFull = (startsAt: number, length: number, offset: number): boolean =>
  (startsAt + offset * minute) % length === 0;

/**
 * The first beginning at which neither the clock of its zone shows a full one, nor one clock at all the beginnings that
 * there are: buckets may go by another zone than the one that is asked for, but by one. Null where there is none.
 */
export function strayBeginning(
  all: readonly Beginnings[],
): { readonly zone: string; readonly startsAt: number } | null {
  const isCommon = offsets.some((offset) =>
    all.every(({ length, startsAt }) => startsAt.every((at) => puts.some((put) => isFull(at, length, offset + put)))),
  );
  if (isCommon) return null;
  for (const { zone, length, startsAt } of all) {
    // An hour in which the clock is put by half of one may be counted in either way.
    const stray = startsAt.find((at) => !offsetsAround(zone, at).some((offset) => isFull(at, length, offset)));
    if (stray !== undefined) return { zone, startsAt: stray };
  }
  return null;
}
