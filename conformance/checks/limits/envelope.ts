import type { BucketSize } from "../../context/draws.ts";

/** A call that a limit admitted or refused. */
export interface LimitedCall {
  /** Seconds, by the clock of the organization. */
  readonly at: number;
  readonly admitted: boolean;
}

/** What the next call meets: in every lawful way to keep the limit, in none of them, or in some. */
export type Due = "admitted" | "refused" | "either";

/**
 * What a call at that second is due after these, by any lawful way to keep a limit: windows that turn or slide, exact or
 * estimated from the one before, and buckets that refill evenly or at once. What was called more than two periods ago
 * counts in none of them, so that there is room after fewer calls than the capacity since then, refused ones included.
 * Calls that draw from several buckets need room in each of them.
 */
export function dueAt(at: number, before: readonly LimitedCall[], sizes: readonly BucketSize[]): Due {
  const admitted = before.filter((call) => call.admitted);
  // What was admitted was drawn from all of them; one without room is enough for a refusal.
  if (sizes.some((size) => areAllThatFit(at, admitted, size))) return "refused";
  return sizes.every((size) => hasRoom(at, before, size)) ? "admitted" : "either";
}

function hasRoom(at: number, before: readonly LimitedCall[], { capacity, periodSeconds }: BucketSize): boolean {
  return before.filter((call) => at - call.at <= 2 * periodSeconds).length < capacity;
}

/**
 * Whether these calls are as many as the limit may admit in some span that ends at that second: as many as the capacity in
 * each of the windows that the span can touch.
 */
export const areAllThatFit = (
  at: number,
  calls: readonly Pick<LimitedCall, "at">[],
  { capacity, periodSeconds }: BucketSize,
): boolean =>
  calls.some((first, index) => {
    const span = at - first.at;
    const windows = span === 0 ? 1 : Math.floor(span / periodSeconds) + 2;
    return calls.length - index >= windows * capacity;
  });
