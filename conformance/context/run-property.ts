import * as fc from "fast-check";
import type { RuleId } from "../../generated/rules.ts";
import { whyEnded } from "../liveness/or-ended.ts";
import { Blocked, type Finding } from "../outcome/verdict.ts";
import { counterexampleText } from "./counterexample-text.ts";
import type { Recorder, TrialOutcome } from "./recorder.ts";

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
  /** Milliseconds for which a value that broke a rule is made smaller; 15 s when left out. */
  readonly shrinkFor?: number;
}

/** A server that does nothing has to be waited for with each value, and a reader would rather have the report. */
const shrinkForUsually = 15_000;

interface Search {
  /** The breach by the smallest value so far. */
  shrunk: Finding | null;
  /** When no smaller value is looked for any more, by the machine's own count. */
  shrunkBy: number;
  /** What ended the search. */
  obstacle: { readonly error: unknown } | null;
}

/**
 * Tries values until one breaks a rule, then smaller ones that break the same rule. The smallest of these stands in the
 * recorder at every moment, with its path: nothing that happens later can lose it, and looking for smaller ones has an
 * end. While values are made smaller, one that cannot be decided does not count, and a target that is gone or an
 * interruption ends it. Throws what kept the predicate from deciding when no breach was found before. A value that only
 * warns ends no search; when that is over, it is made smaller too.
 */
export async function runProperty<T>(
  arbitrary: fc.Arbitrary<T>,
  predicate: (value: T) => Promise<void>,
  options: PropertyOptions,
): Promise<void> {
  const { runSeed, seed, path, signal, recorder } = options;
  const tryValue: TryValue<T> = (value, at, warning) =>
    recorder.trial({ seed: runSeed, path: at, value: counterexampleText(value) }, () => predicate(value), warning);

  if (path !== null) {
    const outcome = await tryValue(valueAt(arbitrary, seed, path), path, null);
    if (outcome.kind === "broken") recorder.keep(outcome.finding, null);
    if (outcome.kind === "undecided") throw outcome.error;
    return;
  }
  const { broken, obstacle } = await searchFrom({ arbitrary, tryValue, options, warned: null });
  for (const warned of recorder.findings().filter(isWarningOfValue)) {
    if (signal.aborted || broken.has(warned.rule)) continue;
    await searchFrom({ arbitrary, tryValue, options, warned });
  }
  if (broken.size > 0) return;
  if (obstacle !== null) throw obstacle.error;
  if (signal.aborted) throw whyEnded(signal);
}

type TryValue<T> = (value: T, path: string, warning: RuleId | null) => Promise<TrialOutcome>;

const isWarningOfValue = ({ verdict, counterexample }: Finding): boolean =>
  verdict === "warn" && counterexample !== null;

interface Found {
  /** The breaches that were found, by the smallest value so far. */
  readonly broken: ReadonlyMap<RuleId, Finding>;
  /** What kept the predicate from deciding. */
  readonly obstacle: Search["obstacle"];
}

interface SearchOptions<T> {
  readonly arbitrary: fc.Arbitrary<T>;
  readonly tryValue: TryValue<T>;
  readonly options: PropertyOptions;
  /** The warning whose value is to be made smaller, in as many tries as a search has values; null for a search. */
  readonly warned: Finding | null;
}

async function searchFrom<T>({ arbitrary, tryValue, options, warned }: SearchOptions<T>): Promise<Found> {
  const { seed, runs, signal, recorder, shrinkFor = shrinkForUsually } = options;
  const start = warned?.counterexample?.path ?? null;
  const broken = new Map<RuleId, Finding>();
  if (warned !== null) broken.set(warned.rule, warned);
  const shrunkBy = warned === null ? Number.POSITIVE_INFINITY : performance.now() + shrinkFor;
  const search: Search = { shrunk: null, shrunkBy, obstacle: null };
  // As the library counts: the position among the values of each level down to the one that is tried.
  const levels: number[] = start === null ? [] : start.split(":").map(Number);
  let position = (levels.pop() ?? 0) - 1;
  let left = warned === null ? Number.POSITIVE_INFINITY : runs + 1;

  const property = fc.asyncProperty(arbitrary, async (value) => {
    position += 1;
    left -= 1;
    if (signal.aborted || left < 0 || performance.now() > search.shrunkBy) throw interruption();
    const outcome = await tryValue(value, [...levels, position].join(":"), warned?.rule ?? null);
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
    if (search.shrunk === null) search.shrunkBy = performance.now() + shrinkFor;
    search.shrunk = finding;
    levels.push(position);
    position = -1;
    throw new Error(finding.message);
  });
  await fc.check(property, start === null ? { seed, numRuns: runs } : { seed, path: start, numRuns: 1 });
  return { broken, obstacle: search.obstacle };
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
