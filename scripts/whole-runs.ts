import type { RunOptions } from "../conformance/runner/run.ts";
import { rules } from "../generated/rules.ts";
import type { Rule } from "../generated/runtime/rule.ts";

/**
 * The order of the checks, and how many run at a time, in each whole run on the reference: no two are alike, and every
 * rule is to pass in all of them, so that no verdict depends on either.
 */
export const wholeRuns = {
  reached: { shuffle: 3, jobs: 16 },
  hooked: { shuffle: 2, jobs: 1 },
} as const satisfies Readonly<Record<string, Pick<RunOptions, "shuffle" | "jobs">>>;

interface Decided {
  readonly id: string;
  readonly verdict: string;
}

const recorded = new Set(Object.entries<Rule>(rules).flatMap(([id, { level }]) => (level === "observe" ? [id] : [])));

/** The rules that did not pass, with their verdicts. A rule that is only recorded may be observed. */
export const notPassed = ({ rules }: { readonly rules: readonly Decided[] }): readonly string[] =>
  rules
    .filter(({ id, verdict }) => verdict !== "pass" && !(recorded.has(id) && verdict === "observed"))
    .map(({ id, verdict }) => `${id} ${verdict}`);
