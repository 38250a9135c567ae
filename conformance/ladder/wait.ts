import { Blocked } from "../check/verdict.ts";
import { pause } from "../liveness/deadline.ts";

/** Real waiting within a run's leave. */
export interface Waiting {
  /** Waits, or throws `Blocked` when the leave does not cover it. */
  wait(seconds: number, why: string): Promise<void>;
  /** Seconds waited so far. */
  waited(): number;
}

/** `leave` is in seconds, for the whole run. */
export function newWaiting(leave: number): Waiting {
  let used = 0;
  return {
    async wait(seconds, why) {
      if (used + seconds > leave) {
        throw new Blocked(
          `${why} needs ${Math.ceil(seconds)} s of waiting; ${Math.max(0, Math.floor(leave - used))} s of the allowed ${leave} s are left`,
          `allow more waiting: --max-wait ${Math.ceil(used + seconds)}`,
        );
      }
      used += seconds;
      await pause(seconds * 1000);
    },
    waited: () => used,
  };
}
