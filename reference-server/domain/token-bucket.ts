/** How many units a bucket holds, and in how many seconds an empty one fills. */
export interface BucketSize {
  readonly capacity: number;
  readonly periodSeconds: number;
}

/** Largest sizes for which the arithmetic below stays exact in a JavaScript number. */
export const largestCapacity = 1_000_000_000;
export const longestPeriodSeconds = 315_360_000;

const microsPerSecond = 1_000_000;

/** Microseconds after which one spent unit is back, rounded up so that a bucket never refills too fast. */
export const unitMicros = (size: BucketSize): number =>
  Math.ceil((size.periodSeconds * microsPerSecond) / size.capacity);

/**
 * One draw in the generic cell rate algorithm. A bucket is a single instant: when it will be full again. A draw
 * moves that instant by `costMicros` from the later of itself and now, and is admitted while it stays within
 * `now + burstMicros`.
 */
export interface Draw {
  readonly nowMicros: number;
  readonly costMicros: number;
  readonly burstMicros: number;
}

/** `now` is in milliseconds since 1970. */
export function drawOf(size: BucketSize, units: number, now: number): Draw {
  const unit = unitMicros(size);
  return { nowMicros: now * 1000, costMicros: unit * units, burstMicros: unit * size.capacity };
}

/** When the bucket is full after the draw; null when the draw is refused. `fullAt` is null for an untouched bucket. */
export function drawFrom(fullAt: number | null, draw: Draw): number | null {
  const next = Math.max(fullAt ?? draw.nowMicros, draw.nowMicros) + draw.costMicros;
  return next <= draw.nowMicros + draw.burstMicros ? next : null;
}

/** Whole seconds after which a refused draw is admitted, at least one. */
export function retryAfterSeconds(fullAt: number, draw: Draw): number {
  const wait = fullAt + draw.costMicros - draw.burstMicros - draw.nowMicros;
  return Math.max(1, Math.ceil(wait / microsPerSecond));
}
