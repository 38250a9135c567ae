import { AsyncLocalStorage } from "node:async_hooks";
import { pause } from "../liveness/deadline.ts";
import { Blocked } from "../outcome/verdict.ts";
import { tellStep, waitStep } from "../story/stories.ts";
import { durationFlag, durationText } from "../target/duration.ts";

/** Real waiting within the time that a run may wait. */
export interface Waiting {
  /** Waits, or throws `Blocked` if the remaining time does not suffice. */
  wait(seconds: number, why: string): Promise<void>;
  /** Returns the seconds waited so far. */
  waited(): number;
  /** Does the work of a check that measures a limit: it may use the reserved seconds. */
  measuring<T>(work: () => T): T;
}

export interface WaitingOptions {
  /** Seconds that the run may wait in all. */
  readonly maxSeconds: number;
  /** Seconds of those that only checks that measure a limit may use. */
  readonly reservedSeconds?: number;
  /** Seconds that suffice at the contract's own limits; the advice names them. */
  readonly enoughSeconds?: number;
}

export function newWaiting({ maxSeconds, reservedSeconds = 0, enoughSeconds = 0 }: WaitingOptions): Waiting {
  const measures = new AsyncLocalStorage<true>();
  let used = 0;
  let usedMeasuring = 0;
  return {
    async wait(seconds, why) {
      const isMeasuring = measures.getStore() === true;
      const kept = isMeasuring ? 0 : Math.max(0, reservedSeconds - usedMeasuring);
      if (used + seconds + kept > maxSeconds) {
        // Whole minutes: reports group findings by this advice.
        const enough = Math.ceil(Math.max(enoughSeconds, used + seconds + kept) / 60) * 60_000;
        throw new Blocked(
          maxSeconds === 0
            ? `${why} takes waiting, and none was allowed`
            : `${why} takes more waiting than the ${durationText(maxSeconds * 1000)} that were allowed`,
          `allow more waiting: --max-wait ${durationFlag(enough)} or more`,
        );
      }
      used += seconds;
      if (isMeasuring) usedMeasuring += seconds;
      tellStep(waitStep(`wait ${durationText(seconds * 1000)}: ${why}`, seconds));
      await pause(seconds * 1000);
    },
    waited: () => used,
    measuring: (work) => measures.run(true, work),
  };
}
