import type { Choices } from "../../generated/choices.ts";
import * as fixedWindow from "./fixed-window.ts";
import * as slidingWindow from "./sliding-window.ts";
import * as tokenBucket from "./token-bucket.ts";

/** How many units a limit admits, and in how many seconds a used-up one is whole again. */
export interface LimitSize {
  readonly capacity: number;
  readonly periodSeconds: number;
}

/** Largest sizes for which the arithmetic of every algorithm stays exact in 64-bit integers. */
export const largestCapacity = 1_000_000;
export const longestPeriodSeconds = 315_360_000;

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

/** Whole seconds after which a draw that was refused is admitted if nobody else draws; at least one. */
export function retryAfterSeconds(level: LimitLevel, draw: Draw): number {
  return Math.max(1, Math.ceil(waitMilliseconds(level, draw) / 1000));
}

function waitMilliseconds(level: LimitLevel, draw: Draw): number {
  switch (draw.algorithm) {
    case "token-bucket":
      return tokenBucket.waitMilliseconds(level, draw);
    case "fixed-window":
      return fixedWindow.waitMilliseconds(draw);
    case "sliding-window":
      return slidingWindow.waitMilliseconds(level, draw);
  }
}
