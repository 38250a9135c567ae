import type { Choices } from "../../../generated/choices.ts";

/** How many units a limit admits, and in how many seconds a used-up one is whole again. */
export interface LimitSize {
  readonly capacity: number;
  readonly periodSeconds: number;
}

/** Largest sizes for which the arithmetic of every algorithm stays exact in a JavaScript number. */
export const largestCapacity = 1_000_000;
export const longestPeriodSeconds = 31 * 86_400;

/** Units to take from one bucket. There are at most as many as its capacity. */
export interface Draw {
  readonly bucket: string;
  readonly size: LimitSize;
  readonly units: number;
}

/** What a call takes from each of several buckets, or from none of them. No bucket is named twice. */
export interface JointDraw {
  readonly algorithm: Choices["bucketAlgorithm"];
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly draws: readonly Draw[];
}

/** What is remembered of a bucket; its algorithm says what the numbers mean. */
export interface LimitLevel {
  readonly mark: number;
  readonly used: number;
  readonly earlier: number;
}

/** The level of a bucket that nobody has drawn from, by any algorithm. */
export const unusedLevel: LimitLevel = { mark: 0, used: 0, earlier: 0 };
