import * as fc from "fast-check";
import type { RuleId } from "../../generated/rules.ts";
import { whyEnded } from "../liveness/or-ended.ts";
import { counterexampleText } from "./counterexample-text.ts";
import type { Recorder } from "./recorder.ts";
import { Blocked, type Finding } from "./verdict.ts";

export interface PropertyOptions {
  /** Seed of the run, which a counterexample names. */
  readonly runSeed: number;
  /** Seed of this check's values. */
  readonly seed: number;
  /** Where the one value lies that is to be tried; null to try `runs` values. */
  readonly path: string | null;
  readonly runs: number;
  readonly signal: AbortSignal;
  readonly recorder: Recorder;
}

interface Search {
  /** The breach by the smallest value so far. */
  shrunk: Finding | null;
  /** What ended the search. */
  obstacle: { readonly error: unknown } | null;
}

/**
 * Tries values until one breaks a rule, then smaller ones that break the same rule. The smallest of these stands in the
 * recorder at every moment, with its path: nothing that happens later can lose it. While values are made smaller, one
 * that cannot be decided does not count, and a target that is gone or an interruption ends it. Throws what kept the
 * predicate from deciding when no breach was found before.
 */
export async function runProperty<T>(
  arbitrary: fc.Arbitrary<T>,
  predicate: (value: T) => Promise<void>,
  options: PropertyOptions,
): Promise<void> {
  const { runSeed, seed, path, runs, signal, recorder } = options;
  const tryValue = (value: T, at: string) =>
    recorder.trial({ seed: runSeed, path: at, value: counterexampleText(value) }, () => predicate(value));

  if (path !== null) {
    const outcome = await tryValue(valueAt(arbitrary, seed, path), path);
    if (outcome.kind === "broken") recorder.keep(outcome.finding, null);
    if (outcome.kind === "undecided") throw outcome.error;
    return;
  }

  const broken = new Map<RuleId, Finding>();
  const search: Search = { shrunk: null, obstacle: null };
  // As the library counts: the position among the values of each level down to the one that is tried.
  const levels: number[] = [];
  let position = -1;

  const property = fc.asyncProperty(arbitrary, async (value) => {
    position += 1;
    if (signal.aborted) throw interruption();
    const outcome = await tryValue(value, [...levels, position].join(":"));
    if (outcome.kind === "held") return;
    if (outcome.kind === "undecided") {
      if (search.shrunk !== null && !isFinal(outcome.error)) throw skipped();
      search.obstacle ??= outcome;
      throw interruption();
    }
    const { finding } = outcome;
    const before = broken.get(finding.rule) ?? null;
    // A smaller value that breaks another rule says nothing about this one, but is not forgotten either.
    const isOther = search.shrunk !== null && search.shrunk.rule !== finding.rule;
    if (isOther && before !== null) throw skipped();
    recorder.keep(finding, before);
    broken.set(finding.rule, finding);
    if (isOther) throw skipped();
    search.shrunk = finding;
    levels.push(position);
    position = -1;
    throw new Error(finding.message);
  });
  await fc.check(property, { seed, numRuns: runs });
  if (broken.size > 0) return;
  if (search.obstacle !== null) throw search.obstacle.error;
  if (signal.aborted) throw whyEnded(signal);
}

const skipped = (): Error => new fc.PreconditionFailure();

/** Ends the search, whatever it has found. */
const interruption = (): Error => new fc.PreconditionFailure(true);

/** Whether no other value would fare better. */
const isFinal = (error: unknown): boolean => error instanceof Blocked && error.origin === "environment";

/** The value at a path, as a search with that seed would come upon it. */
function valueAt<T>(arbitrary: fc.Arbitrary<T>, seed: number, path: string): T {
  const lost = new Blocked(`the path ${path} leads to no value`, "take seed, path and target from one report");
  try {
    // In a tuple, as a property has it.
    const [found] = fc.sample(fc.tuple(arbitrary), { seed, path, numRuns: 1 });
    if (found !== undefined) return found[0];
  } catch {
    throw lost;
  }
  throw lost;
}
