import type { Choices } from "../../generated/choices.ts";

/** Whose time an organization lives by. A manual clock stands still and moves only when it is advanced. */
export type OrganizationClock = { readonly mode: "real" } | { readonly mode: "manual"; readonly at: number };

/**
 * First and last instant that a manual clock can show, in milliseconds since 1970. Within them microseconds stay
 * exact in a JavaScript number, which the arithmetic of limits needs.
 */
export const earliestInstant = 0;
export const latestInstant = Date.UTC(2200, 0, 1);

/** The organization's present, in milliseconds since 1970. */
export function timeOf(clock: OrganizationClock, worldNow: number): number {
  switch (clock.mode) {
    case "real":
      return worldNow;
    case "manual":
      return clock.at;
  }
}

/** First instant that RFC 3339 can tell: its years have four digits, and no sign. */
export const earliestTimestamp = Date.parse("0000-01-01T00:00:00Z");

/** RFC 3339 in UTC. What an instant has beyond the precision is cut off; what it lacks is zeros. */
export function timestamp(instant: number, precision: Choices["timestampPrecision"] = "milliseconds"): string {
  const text = new Date(instant).toISOString();
  switch (precision) {
    case "milliseconds":
      return text;
    case "seconds":
      return text.replace(/\.\d+Z$/, "Z");
    case "microseconds":
      return text.replace(/Z$/, "000Z");
  }
}
