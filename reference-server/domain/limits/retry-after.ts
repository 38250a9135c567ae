import { type Draw, type JointDraw, type LimitLevel, unusedLevel } from "./draw.ts";
import * as fixedWindow from "./fixed-window.ts";
import * as slidingWindow from "./sliding-window.ts";
import * as tokenBucket from "./token-bucket.ts";

/** Why a draw was refused, and for how long. */
export interface Wait {
  /** The part that has to wait longest. */
  readonly draw: Draw;
  /** Whole seconds, at least one. */
  readonly seconds: number;
}

/** After which the whole draw is admitted if nobody else draws: the longest of the waits of its parts. */
export function longestWait({ algorithm, now, draws }: JointDraw, levels: ReadonlyMap<string, LimitLevel>): Wait {
  const waits = draws.map((draw) => ({
    draw,
    milliseconds: waitMilliseconds(algorithm, levels.get(draw.bucket) ?? unusedLevel, draw, now),
  }));
  const { draw, milliseconds } = waits.reduce((most, wait) => (wait.milliseconds > most.milliseconds ? wait : most));
  return { draw, seconds: Math.max(1, Math.ceil(milliseconds / 1000)) };
}

/** Zero or less where there is room. */
function waitMilliseconds(algorithm: JointDraw["algorithm"], level: LimitLevel, draw: Draw, now: number): number {
  switch (algorithm) {
    case "token-bucket":
      return tokenBucket.waitMilliseconds(level, draw, now);
    case "fixed-window":
      return fixedWindow.waitMilliseconds(level, draw, now);
    case "sliding-window":
      return slidingWindow.waitMilliseconds(level, draw, now);
  }
}
