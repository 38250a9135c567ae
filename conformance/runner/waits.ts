import { buckets } from "../../generated/limits.ts";
import { operationList } from "../../generated/operations.ts";
import type { Check } from "../check/check.ts";
import type { Target } from "../target/target.ts";

/** A limit on which checks draw. */
export interface DrawnBucket {
  readonly name: string;
  readonly capacity: number;
  readonly periodSeconds: number;
}

/** The limits that operations of the contract draw on. */
export const drawnBuckets: readonly DrawnBucket[] = Object.entries(buckets).flatMap(([name, bucket]) =>
  bucket.kind === "bucket" && operationList.some((o) => o.bucket === name)
    ? [{ name, capacity: bucket.capacity, periodSeconds: bucket.periodSeconds }]
    : [],
);

const capacity = Math.min(...drawnBuckets.map((bucket) => bucket.capacity));
const period = Math.max(...drawnBuckets.map((bucket) => bucket.periodSeconds));

/** Calls of a check that draw on a limit, at most. */
export const drawsOf = (check: Check, runs: number): number => check.draws * (check.kind === "property" ? runs : 1);

/**
 * Seconds that a check which wants a full bucket may wait by itself, at most: until the bucket is full, unless it is a
 * new organization's, and until it admits again. None where time is moved.
 */
export function fillWaitOf(check: Check, { sandbox, hooks }: Target): number {
  if (!check.needs.includes("full-bucket") || sandbox !== null || hooks.advance !== undefined) return 0;
  const refills = Math.max(1, refillsFor(check.draws));
  return (hooks.newOrganization === undefined ? refills + 1 : refills) * period;
}

/** Seconds that checks may have to wait for limits to refill, at most, when they are run one after another. */
export function waitSecondsOf(checks: readonly Check[], target: Target, runs: (check: Check) => number): number {
  const filling = sumOf(checks.map((check) => fillWaitOf(check, target)));
  if (target.sandbox !== null || target.hooks.advance !== undefined) return filling;
  const draws = checks
    .filter((check) => !check.needs.includes("full-bucket"))
    .map((check) => drawsOf(check, runs(check)));
  // An organization for each check has room for what that check draws.
  const refills = target.hooks.newOrganization === undefined ? refillsFor(sumOf(draws)) : sumOf(draws.map(refillsFor));
  return filling + refills * period;
}

/** Times that a full bucket must refill before so many calls have drawn on it. */
const refillsFor = (draws: number): number => Math.max(0, Math.ceil(draws / capacity) - 1);

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
