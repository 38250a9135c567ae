import type { Check } from "../context/check.ts";

/** What tells how long a check takes, before it is run. */
type Sized = Pick<Check, "kind" | "operation">;

/**
 * Checks in the order in which several at a time are begun: those that take long, begun last, would be all that is left.
 * What is tried with many values comes first, then what draws on limits with the most calls, and at the end the checks of
 * a single operation, which are short.
 */
export function longestFirst<Each extends Sized>(checks: readonly Each[], draws: (check: Each) => number): Each[] {
  const drawn = new Map(checks.map((check) => [check, draws(check)]));
  const callsOf = (check: Each): number => drawn.get(check) ?? 0;
  return checks.toSorted((one, other) => rankOf(one) - rankOf(other) || callsOf(other) - callsOf(one));
}

function rankOf({ kind, operation }: Sized): number {
  if (kind === "property") return 0;
  return operation === undefined ? 1 : 2;
}
