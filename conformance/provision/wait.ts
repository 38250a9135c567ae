import { pause } from "../liveness/deadline.ts";
import { Blocked } from "../outcome/verdict.ts";
import { tellStep, waitStep } from "../story/stories.ts";
import { durationFlag, durationText } from "../target/duration.ts";

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
        // In whole minutes and without what is left, so that reports tell what was cut short for this as one thing.
        const enough = Math.ceil((used + seconds) / 60) * 60_000;
        throw new Blocked(
          leave === 0
            ? `${why} takes waiting, and none was allowed`
            : `${why} takes more waiting than the ${durationText(leave * 1000)} that were allowed`,
          `allow more waiting: --max-wait ${durationFlag(enough)} or more`,
        );
      }
      used += seconds;
      tellStep(waitStep(`wait ${durationText(seconds * 1000)}: ${why}`, seconds));
      await pause(seconds * 1000);
    },
    waited: () => used,
  };
}
