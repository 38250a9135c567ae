import { interruption, whyEnded } from "../liveness/or-ended.ts";

/** When the parts of a run end that could go on for ever. */
export interface Ending {
  /** Fires when no check may go on; its reason is a `Blocked` that says why. */
  readonly ended: AbortSignal;
  /** Fires when nothing at all is waited for any more, not even that what was made is taken back. */
  readonly closing: AbortSignal;
  /** Why the run ended before all was done; null when it did not. */
  reason(): string | null;
  /** To be called when the run is over. */
  release(): void;
}

/** Milliseconds that an interrupted run still has for what is under way: to learn what was made, and to delete it. */
const grace = 500;

/** `interrupted` ends a run that somebody wants to stop, `down` one whose target is gone. */
export function newEnding(interrupted: AbortSignal, down: AbortSignal): Ending {
  const ended = new AbortController();
  const closing = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const interrupt = (): void => {
    ended.abort(interruption());
    timer = setTimeout(() => closing.abort(interruption()), grace);
  };
  const giveUp = (): void => ended.abort(whyEnded(down));
  interrupted.addEventListener("abort", interrupt, { once: true });
  down.addEventListener("abort", giveUp, { once: true });
  if (interrupted.aborted) interrupt();
  return {
    ended: ended.signal,
    closing: closing.signal,
    reason() {
      if (interrupted.aborted) return "interrupted before every check was done";
      return ended.signal.aborted ? whyEnded(ended.signal).message : null;
    },
    release() {
      clearTimeout(timer);
      interrupted.removeEventListener("abort", interrupt);
      down.removeEventListener("abort", giveUp);
    },
  };
}
