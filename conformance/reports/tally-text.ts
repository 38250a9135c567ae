import type { ToldTally } from "../story/told-tally.ts";
import type { FailureGroup } from "./failure-groups.ts";

/** How often a group was seen, such as "in 3 of 7 calls like it" or "2 times"; null for once. */
export function seenTimes({ finding, operations, times }: FailureGroup): string | null {
  const { tally } = finding;
  // Calls are alike at one operation only.
  if (tally !== null && tally.of > 1 && operations.length < 2) return sharedText(tally);
  return times < 2 ? null : `${times} times`;
}

/** Of several calls, those that failed. */
export const sharedText = ({ failed, of }: Pick<ToldTally, "failed" | "of">): string =>
  `in ${failed} of ${of} calls like it`;

/** The same at the end of a line; empty for once. */
export function seenTimesShort(group: FailureGroup): string {
  const seen = seenTimes(group);
  if (seen === null) return "";
  return seen.startsWith("in") ? ` ${seen}` : ` ×${group.times}`;
}

/** Operations that are named; of more the number is told. */
const mostNamed = 12;

/** Operations at which a group was seen. */
export const operationsText = ({ operations }: FailureGroup): string =>
  operations.length <= mostNamed
    ? operations.join(", ")
    : `${operations.length} operations, such as ${operations.slice(0, 3).join(", ")}`;
