import type { Step } from "./step.ts";

/** Calls that began before one that began before them was answered, and those. */
export function atOnceAmong(steps: readonly Step[]): ReadonlySet<Step> {
  const calls = steps.filter(({ until }) => until !== undefined).toSorted((a, b) => a.at - b.at);
  const together = new Set<Step>();
  let [latest] = calls;
  for (const step of calls.slice(1)) {
    if (latest === undefined) break;
    if (step.at < (latest.until ?? 0)) together.add(latest).add(step);
    if ((step.until ?? 0) > (latest.until ?? 0)) latest = step;
  }
  return together;
}
