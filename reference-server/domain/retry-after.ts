import type { Draw, LimitLevel } from "./draw.ts";
import * as fixedWindow from "./fixed-window.ts";
import * as slidingWindow from "./sliding-window.ts";
import * as tokenBucket from "./token-bucket.ts";

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
