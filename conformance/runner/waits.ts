import type { BucketName } from "../../generated/limits.ts";
import { operations } from "../../generated/operations.ts";
import { newOrganization } from "../arrangements/fresh-organization.ts";
import { manualClock } from "../arrangements/manual-clock.ts";
import { hookOf } from "../arrangements/requirement.ts";
import type { Check } from "../context/check.ts";
import { bucketSize, callDraws, type Draws, drawnIn, sumOfDraws, timesDraws } from "../context/draws.ts";
import type { Target } from "../target/target.ts";

/** Calls of a check that may draw on limits, at most, when it is run alone. */
export const drawsOf = (check: Check, runs: number): Draws => drawsTogether([check], () => runs);

/** Calls of checks that may draw on limits, at most, when they share an organization, and so the keys that they share. */
export function drawsTogether(checks: readonly Check[], runs: (check: Check) => number): Draws {
  const own = checks.map((check) => timesDraws(check.draws, check.kind === "property" ? runs(check) : 1));
  const keys = new Set(
    checks.flatMap(({ sharedKeys = [] }) => sharedKeys.map((scopes) => scopes.toSorted().join(" "))),
  );
  return sumOfDraws([...own, keyDraws(keys.size)]);
}

/** Returns the calls that creating so many keys draws on limits. */
export const keyDraws = (keys: number): Draws => callDraws(operations.createApiKey.draws, keys);

/**
 * Seconds that a check which wants full buckets may wait by itself, at most: until they are full, unless they are a new
 * organization's, and until they admit again. All of them refill in one wait. None where time is moved.
 */
export function fillWaitOf({ needs, draws }: Check, target: Target): number {
  if (!needs.includes("full-bucket") || movesTime(target)) return 0;
  const isNew = hookOf(target, newOrganization) !== null;
  const waits = drawnIn(draws).map(
    ([name, calls]) => (Math.max(1, refillsFor(name, calls)) + (isNew ? 0 : 1)) * periodOf(name),
  );
  return Math.max(0, ...waits);
}

/** Seconds that checks may have to wait for limits to refill, at most, when they are run one after another. */
export function waitSecondsOf(checks: readonly Check[], target: Target, runs: (check: Check) => number): number {
  const filling = sumOf(checks.map((check) => fillWaitOf(check, target)));
  if (movesTime(target)) return filling;
  const drawing = checks.filter((check) => !check.needs.includes("full-bucket"));
  // An organization for each check has room for what that check draws.
  const groups = hookOf(target, newOrganization) === null ? [drawing] : drawing.map((check) => [check]);
  return filling + sumOf(groups.map((group) => refillSecondsOf(drawsTogether(group, runs))));
}

/** Whether the kit moves time, so that nothing waits. */
const movesTime = (target: Target): boolean => manualClock.isMet(target);

/** Seconds until so much has been drawn from full buckets, each waited for by itself. */
const refillSecondsOf = (draws: Draws): number =>
  sumOf(drawnIn(draws).map(([name, calls]) => refillsFor(name, calls) * periodOf(name)));

/** Times that a full bucket must refill before so many calls have drawn on it. */
const refillsFor = (name: BucketName, calls: number): number =>
  Math.max(0, Math.ceil(calls / bucketSize(name).capacity) - 1);

const periodOf = (name: BucketName): number => bucketSize(name).periodSeconds;

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
