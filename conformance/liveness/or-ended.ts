import { Blocked } from "../outcome/verdict.ts";
import { whenEnded } from "./when-ended.ts";

/** What blocks whatever was not done when a run was interrupted. */
export const interruption = (): Blocked => new Blocked("the run was interrupted", "run it again", "environment");

/** Why a signal has fired, as what blocks a check. */
export const whyEnded = ({ reason }: AbortSignal): Blocked => (reason instanceof Blocked ? reason : interruption());

/** What the work gives, unless the signal fires first: then it throws why, at once, and leaves the work to itself. */
export function orEnded<T>(work: Promise<T>, signal: AbortSignal | null): Promise<T> {
  if (signal === null) return work;
  // Every request waits so: a race would make several promises of each.
  return new Promise((resolve, reject) => {
    const forget = whenEnded(signal, () => reject(whyEnded(signal)));
    work.then(
      (value) => {
        forget();
        resolve(value);
      },
      (problem: unknown) => {
        forget();
        reject(problem);
      },
    );
  });
}
