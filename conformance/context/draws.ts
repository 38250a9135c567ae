import { type BucketName, buckets } from "../../generated/limits.ts";
import type { OperationDraw } from "../../generated/runtime/operation.ts";

/** A limit of one size for everybody, by name. */
export type DrawnBucket = {
  [Name in BucketName]: (typeof buckets)[Name]["kind"] extends "bucket" ? Name : never;
}[BucketName];

/**
 * Calls that may draw on a limit, at most, by bucket: those of its operations, but for calls that are refused for whose
 * they are.
 */
export type Draws = Readonly<Partial<Record<DrawnBucket, number>>>;

/** What so many calls of an operation draw that draws like this. */
export const callDraws = (draws: readonly OperationDraw[], calls: number): Draws =>
  sumOfDraws(draws.map((draw) => ({ [drawnBucket(draw)]: calls })));

function drawnBucket({ bucket, records }: OperationDraw): DrawnBucket {
  if (isDrawn(bucket) && records === null) return bucket;
  throw new Error(`Say how checks are to budget what they draw on ${bucket}: its size or what a call draws varies.`);
}

export function sumOfDraws(all: readonly Draws[]): Draws {
  const sum: Partial<Record<DrawnBucket, number>> = {};
  for (const [name, calls] of all.flatMap(drawnIn)) sum[name] = (sum[name] ?? 0) + calls;
  return sum;
}

export const timesDraws = (draws: Draws, times: number): Draws =>
  Object.fromEntries(drawnIn(draws).map(([name, calls]) => [name, calls * times]));

/** Calls on all buckets together. */
export const totalOf = (draws: Draws): number => drawnIn(draws).reduce((sum, [, calls]) => sum + calls, 0);

/** The buckets that are drawn on, each with its calls. */
export const drawnIn = (draws: Draws): readonly (readonly [DrawnBucket, number])[] =>
  Object.entries(draws).flatMap(([name, calls]) => (isDrawn(name) && calls > 0 ? [[name, calls] as const] : []));

const isDrawn = (name: string): name is DrawnBucket =>
  Object.entries(buckets).some(([known, { kind }]) => known === name && kind === "bucket");
