import type { ToldTally } from "../story/told-tally.ts";
import type { FailureGroup } from "./failure-groups.ts";

/** How often a group was seen, such as "in 3 of 7 calls like it" or "2 times"; null for once. */
export const seenTimes = (group: FailureGroup): string | null =>
  sharedBy(group) ?? (group.times < 2 ? null : `${group.times} times`);

/** The same at the end of a line; empty for once. */
export function seenTimesShort(group: FailureGroup): string {
  const shared = sharedBy(group);
  if (shared !== null) return ` ${shared}`;
  return group.times < 2 ? "" : ` ×${group.times}`;
}

/** In how many of the calls like it a group was seen; null where nothing tells. */
function sharedBy({ finding: { tally }, operations }: FailureGroup): string | null {
  // Calls are alike at one operation only.
  return tally !== null && tally.of > 1 && operations.length < 2 ? sharedText(tally) : null;
}

/** Of several calls or deliveries, those that failed. */
export const sharedText = ({ what, failed, of }: Pick<ToldTally, "what" | "failed" | "of">): string =>
  `in ${failed} of ${of} ${what === "calls" ? "calls like it" : "deliveries"}`;

/** Operations that are named; of more the number is told. */
const mostNamed = 12;

/** Operations at which a group was seen. */
export const operationsText = ({ operations }: FailureGroup): string =>
  operations.length <= mostNamed
    ? operations.join(", ")
    : `${operations.length} operations, such as ${operations.slice(0, 3).join(", ")}`;
