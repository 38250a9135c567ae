import type { Check } from "../context/check.ts";
import { type Deadline, openDeadline } from "../liveness/deadline.ts";
import { Blocked } from "../outcome/verdict.ts";
import { durationText } from "../target/duration.ts";
import type { Timing } from "../target/target.ts";

/** Requests that time out, one after the other, which a check may meet; and more of them for each value of a property. */
const timeouts = 30;
const timeoutsPerRun = 3;

/** Milliseconds that a check may take, not counting what it waits for a bucket or a delivery. */
export const timeFor = ({ kind }: Pick<Check, "kind">, { requestTimeout }: Timing, runs: number): number =>
  requestTimeout * (timeouts + (kind === "property" ? timeoutsPerRun * runs : 0));

/** The deadline of one check; `runs` is how many values a property tries. */
export function checkDeadline(check: Check, timing: Timing, runs: number, ended: AbortSignal): Deadline {
  const milliseconds = timeFor(check, timing, runs);
  const late = (): Blocked =>
    new Blocked(
      `the check was not done within its ${durationText(milliseconds)}`,
      "see why the target takes so long, or give it more time: --request-timeout",
      "environment",
    );
  return openDeadline({ milliseconds, ended, late });
}
