import type { Choices } from "../../generated/choices.ts";

/** How many units a limit admits, and in how many seconds a used-up one is whole again. */
export interface LimitSize {
  readonly capacity: number;
  readonly periodSeconds: number;
}

/** Largest sizes for which the arithmetic of every algorithm stays exact in a JavaScript number. */
export const largestCapacity = 1_000_000;
export const longestPeriodSeconds = 31 * 86_400;

/** Units to take from a limit, all or nothing. There are at most as many as the limit's capacity. */
export interface Draw {
  readonly algorithm: Choices["bucketAlgorithm"];
  readonly size: LimitSize;
  readonly units: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** What is remembered of a limit; its algorithm says what the numbers mean. */
export interface LimitLevel {
  readonly mark: number;
  readonly used: number;
  readonly earlier: number;
}
