import type { Timing } from "./target.ts";

/** One bound of time of a target; all figures in milliseconds. */
export interface TimingSetting {
  /** Its name in a target file. */
  readonly name: "request_timeout" | "max_wait" | "poll_interval" | "poll_timeout" | "clock_skew";
  /** Its flag on the command line; null when it has none. */
  readonly flag: string | null;
  readonly default: number;
  readonly least: number;
  readonly most: number;
  readonly says: string;
}

export const timingSettings: readonly TimingSetting[] = [
  {
    name: "request_timeout",
    flag: "--request-timeout",
    default: 10_000,
    least: 50,
    most: 600_000,
    says: "How long a request may stay unanswered before it counts as lost.",
  },
  {
    name: "max_wait",
    flag: "--max-wait",
    default: 120_000,
    least: 0,
    most: 86_400_000,
    says: "How long a run may wait on purpose in all, for limits to refill and the like.",
  },
  {
    name: "poll_interval",
    flag: null,
    default: 100,
    least: 10,
    most: 60_000,
    says: "Pause between looks at an effect that need not be immediate.",
  },
  {
    name: "poll_timeout",
    flag: null,
    default: 5_000,
    least: 10,
    most: 3_600_000,
    says: "How long to look for an effect that need not be immediate.",
  },
  {
    name: "clock_skew",
    flag: null,
    default: 5_000,
    least: 0,
    most: 3_600_000,
    says: "How far apart the clocks of target and kit may be.",
  },
];

/** A target's timing from milliseconds by name. */
export function timingOf(milliseconds: (name: TimingSetting["name"]) => number): Timing {
  return {
    requestTimeout: milliseconds("request_timeout"),
    maxWait: milliseconds("max_wait") / 1000,
    pollInterval: milliseconds("poll_interval"),
    pollTimeout: milliseconds("poll_timeout"),
    clockSkew: milliseconds("clock_skew"),
  };
}
