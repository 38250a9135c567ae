import { AsyncLocalStorage } from "node:async_hooks";
import type { Blocked } from "../outcome/verdict.ts";
import { orEnded } from "./or-ended.ts";

/** The time that one check has. What it spends waiting lawfully, for a bucket or a delivery, does not count. */
export interface Deadline {
  /**
   * Does the work of the check. Rejects with what ended it, a `Blocked`, as soon as the time is up or the run ends,
   * whatever the work is waiting for; from then on nothing that the work does is sent.
   */
  run<T>(work: () => Promise<T>): Promise<T>;
}

export interface DeadlineOptions {
  readonly milliseconds: number;
  /** Fires when the whole run ends; its reason is a `Blocked`. */
  readonly ended: AbortSignal;
  /** What the check is told when its time is up. */
  readonly late: () => Blocked;
}

interface Course {
  readonly signal: AbortSignal;
  readonly pause: () => void;
  readonly resume: () => void;
}

// A check waits in many ways and through things that it shares with others, such as an organization. All of them ask
// here whose time it is, so that none can be forgotten to be told.
const courses = new AsyncLocalStorage<Course>();

export function openDeadline({ milliseconds, ended, late }: DeadlineOptions): Deadline {
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, ended]);
  let left = milliseconds;
  let since = 0;
  let waits = 0;
  let timer: NodeJS.Timeout | undefined;
  const count = (): void => {
    since = performance.now();
    timer = setTimeout(() => over.abort(late()), left);
  };
  const stop = (): void => {
    clearTimeout(timer);
    left -= performance.now() - since;
  };
  const course: Course = {
    signal,
    pause() {
      waits += 1;
      if (waits === 1) stop();
    },
    resume() {
      waits -= 1;
      if (waits === 0 && !signal.aborted) count();
    },
  };
  return {
    async run(work) {
      count();
      try {
        return await orEnded(courses.run(course, work), signal);
      } finally {
        clearTimeout(timer);
        // What the work may have left running must not go on.
        over.abort(late());
      }
    },
  };
}

/** What ends the check in whose course this is called; null outside of any. */
export const checkSignal = (): AbortSignal | null => courses.getStore()?.signal ?? null;

/** Does something that waits for the target's own time: it does not count against the check's. */
export async function whileWaiting<T>(work: () => Promise<T>): Promise<T> {
  const course = courses.getStore();
  course?.pause();
  try {
    return await work();
  } finally {
    course?.resume();
  }
}

/** Waits lawfully for so many milliseconds; throws what ends the check, or the `Blocked` of `otherwise`, when that fires. */
export async function pause(milliseconds: number, otherwise?: AbortSignal): Promise<void> {
  const signal = checkSignal() ?? otherwise ?? null;
  const slept = Promise.withResolvers<void>();
  const timer = setTimeout(slept.resolve, milliseconds);
  try {
    await whileWaiting(() => orEnded(slept.promise, signal));
  } finally {
    clearTimeout(timer);
  }
}
