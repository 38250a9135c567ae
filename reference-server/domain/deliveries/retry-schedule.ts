import type { Outcome } from "./delivery.ts";
import type { ReceiverAnswer } from "./receiver-answer.ts";

/** When a delivery is tried, and when it is given up. */
export interface RetrySchedule {
  /** Milliseconds before each attempt, counted from the end of the one before it. There are as many attempts. */
  readonly waits: readonly number[];
  /** Whether 410 ends a delivery at once: the receiver says that it will never take it. */
  readonly goneIsDead: boolean;
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Svix's published schedule: about 27 hours in all. */
export const usualSchedule: RetrySchedule = {
  waits: [0, 5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour],
  goneIsDead: true,
};

const gone = 410;

export interface Verdict {
  readonly outcome: Outcome;
  /** Milliseconds until the next attempt; null when there is none. */
  readonly dueIn: number | null;
}

/** What follows from the answer to an attempt, which counts from 1. A redirect is a failure like any other. */
export function afterAttempt(
  attempt: number,
  answer: ReceiverAnswer,
  { waits, goneIsDead }: RetrySchedule = usualSchedule,
): Verdict {
  const status = answer.kind === "answered" ? answer.status : null;
  if (status !== null && status >= 200 && status <= 299) return { outcome: "success", dueIn: null };
  const wait = waits[attempt];
  if (wait === undefined || (status === gone && goneIsDead)) return { outcome: "dead", dueIn: null };
  return { outcome: "retry", dueIn: wait };
}
