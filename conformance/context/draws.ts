import { type BucketName, buckets } from "../../generated/limits.ts";

/** A limit of one size for everybody, by name. */
export type DrawnBucket = {
  [Name in BucketName]: (typeof buckets)[Name]["kind"] extends "bucket" ? Name : never;
}[BucketName];

/**
 * Calls that may draw on a limit, at most, by bucket: those of its operations, but for calls that are refused for whose
 * they are.
 */
export type Draws = Readonly<Partial<Record<DrawnBucket, number>>>;

/** So many calls of an operation that draws on that bucket; none where it draws on none. */
export function drawsOn(bucket: string | null, calls: number): Draws {
  if (bucket === null) return {};
  if (isDrawn(bucket)) return { [bucket]: calls };
  throw new Error(`The limit ${bucket} is of no one size: say how checks are to budget what they draw on it.`);
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
