import { buckets } from "../../generated/limits.ts";

const { tiers } = buckets.messageSendsPerSecond;

/** Millionths of a US dollar in a cent. */
export const centMicros = 10_000;

/** A lifetime spend in the middle of a tier of the send ladder: the tier at its ends is an open question. */
export function spendWithin(index: number): number {
  const { fromCents = 0 } = tiers[index] ?? {};
  const next = tiers[index + 1]?.fromCents ?? 2 * fromCents;
  return ((fromCents + next) / 2) * centMicros;
}
