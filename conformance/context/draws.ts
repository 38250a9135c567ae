import { type BucketName, buckets } from "../../generated/limits.ts";
import type { OperationDraw } from "../../generated/runtime/operation.ts";

/** How much a bucket holds, and the time in which that much refills. */
export interface BucketSize {
  readonly capacity: number;
  readonly periodSeconds: number;
}

/** The size of a bucket where nothing but the contract says it: on a ladder that of an organization which has spent nothing. */
export function bucketSize(name: BucketName): BucketSize {
  const bucket = buckets[name];
  const { capacity } = bucket.kind === "ladder" ? bucket.tiers[0] : bucket;
  return { capacity, periodSeconds: bucket.periodSeconds };
}

/**
 * Calls that may draw on a limit, at most, by bucket: those of its operations, but for calls that are refused for whose
 * they are.
 */
export type Draws = Readonly<Partial<Record<BucketName, number>>>;

/** What so many calls of an operation draw that draws like this; a call with records is taken to have one. */
export const callDraws = (draws: readonly OperationDraw[], calls: number): Draws =>
  sumOfDraws(draws.map((draw) => ({ [drawnBucket(draw)]: calls })));

function drawnBucket({ bucket }: OperationDraw): BucketName {
  if (isBucket(bucket)) return bucket;
  throw new Error(`An operation draws on ${bucket}, which the contract does not have.`);
}

export function sumOfDraws(all: readonly Draws[]): Draws {
  const sum: Partial<Record<BucketName, number>> = {};
  for (const [name, calls] of all.flatMap(drawnIn)) sum[name] = (sum[name] ?? 0) + calls;
  return sum;
}

export const timesDraws = (draws: Draws, times: number): Draws =>
  Object.fromEntries(drawnIn(draws).map(([name, calls]) => [name, calls * times]));

/** Calls on all buckets together. */
export const totalOf = (draws: Draws): number => drawnIn(draws).reduce((sum, [, calls]) => sum + calls, 0);

/** The buckets that are drawn on, each with its calls. */
export const drawnIn = (draws: Draws): readonly (readonly [BucketName, number])[] =>
  Object.entries(draws).flatMap(([name, calls]) => (isBucket(name) && calls > 0 ? [[name, calls] as const] : []));

const isBucket = (name: string): name is BucketName => Object.hasOwn(buckets, name);
