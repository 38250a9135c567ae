import type { Timing } from "./target.ts";

/** One bound of time of a target; all figures in milliseconds. */
export interface TimingSetting {
  /** Its name in a target file. */
  readonly name: string;
  /** Its flag on the command line; null when it has none. */
  readonly flag: "--request-timeout" | "--max-wait" | null;
  readonly default: number;
  readonly least: number;
  readonly most: number;
  readonly says: string;
}

const settings = {
  requestTimeout: {
    name: "request_timeout",
    flag: "--request-timeout",
    default: 10_000,
    least: 50,
    most: 600_000,
    says: "How long a request may stay unanswered before it counts as lost.",
  },
  maxWait: {
    name: "max_wait",
    flag: "--max-wait",
    default: 20_000,
    least: 0,
    most: 86_400_000,
    says: "How long a run may wait on purpose in all, for limits to refill and the like.",
  },
  pollInterval: {
    name: "poll_interval",
    flag: null,
    default: 100,
    least: 10,
    most: 60_000,
    says: "Shortest pause between looks at an effect that need not be immediate; it grows with the time waited.",
  },
  pollTimeout: {
    name: "poll_timeout",
    flag: null,
    default: 10_000,
    least: 10,
    most: 3_600_000,
    says: "How long to look for an effect that need not be immediate.",
  },
  clockSkew: {
    name: "clock_skew",
    flag: null,
    default: 5_000,
    least: 0,
    most: 3_600_000,
    says: "How far apart the clocks of target and kit may be.",
  },
} as const satisfies Readonly<Record<keyof Timing, TimingSetting>>;

export const timingSettings: readonly TimingSetting[] = Object.values(settings);

/** A target's timing, each setting read as milliseconds. */
export function timingOf(milliseconds: (setting: TimingSetting) => number): Timing {
  return {
    requestTimeout: milliseconds(settings.requestTimeout),
    maxWait: milliseconds(settings.maxWait) / 1000,
    pollInterval: milliseconds(settings.pollInterval),
    pollTimeout: milliseconds(settings.pollTimeout),
    clockSkew: milliseconds(settings.clockSkew),
  };
}
