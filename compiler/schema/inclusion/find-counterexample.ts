import fc from "fast-check";
import { arbitraryOf } from "../arbitrary.ts";
import { NoValueFound } from "../bounded-filter.ts";
import { canonicalJson } from "../canonical-json.ts";
import { constraintsOf } from "../constraints.ts";
import type { Json, JsonSchema } from "../json-schema.ts";
import { placesIn } from "../places.ts";
import { unfoldsBeyond } from "../unfolds-beyond.ts";
import { UnusableSchema } from "../validator.ts";
import { type Doubt, suspectsOf } from "./doubt.ts";
import { shrunk } from "./shrink.ts";
import { checkable, type TwoSides } from "./two-sides.ts";
import { witnessesOf } from "./witnesses.ts";
import { OutOfWork, type Work } from "./work.ts";

const seed = 20260102;
const runs = { perDoubt: 8, perDoubtAgain: 50, perBreach: 8, anywhere: 60 } as const;
const mostBreaches = 20;

/** Parts of a schema at most that values are sampled for: each sample may go through all of them. */
const mostParts = 5_000;

const unfoldsFar = (schema: JsonSchema, { checkable: components }: TwoSides): boolean =>
  unfoldsBeyond(schema, components, mostParts);

export interface Found {
  readonly value: Json;
}

/** A value among the suspects of some doubts that is asked for; null when a quick look finds none. */
export function findAmong(
  doubts: readonly Doubt[],
  sides: TwoSides,
  isWanted: (value: Json) => boolean,
  from: "made" | "sampled",
  work: Work,
): Found | null {
  if (from === "made") {
    return firstOf(doubts, (doubt) => {
      const value = witnessesOf(suspectsOf(doubt), sides.checkable, work).find(isWanted);
      return value === undefined ? null : { value };
    });
  }
  return firstOf(doubts, (doubt) => search(checkable(suspectsOf(doubt)), isWanted, runs.perDoubt, sides, work));
}

/**
 * A value that the one schema accepts and the other refuses, shrunk; null when a bounded search finds none: where the
 * other schema has a constraint to break, among the values that a failed proof points to, then anywhere.
 */
export function findAnywhere(
  one: JsonSchema,
  other: JsonSchema,
  doubts: readonly Doubt[],
  sides: TwoSides,
  isWanted: (value: Json) => boolean,
  work: Work,
): Found | null {
  if (work.isUsedUp || [one, other].some((schema) => unfoldsFar(schema, sides))) return null;
  const [first, second] = [checkable(one), checkable(other)];
  const among = (suspects: JsonSchema, numRuns: number): Found | null =>
    search(checkable(suspects), isWanted, numRuns, sides, work);
  const broken = [{ allOf: [first, { not: second }] }, ...breaking(first, second, sides)];
  const made = broken.flatMap((suspects) => witnessesOf(suspects, sides.checkable, work)).find(isWanted);
  if (made !== undefined) return { value: made };
  return (
    firstOf(broken, (suspects) => among(suspects, runs.perBreach)) ??
    firstOf(doubts, (doubt) => among(suspectsOf(doubt), runs.perDoubtAgain)) ??
    among(first, runs.anywhere)
  );
}

/** Values of the one that break one constraint of the other, for the first of its constraints. */
function* breaking(one: JsonSchema, other: JsonSchema, sides: TwoSides): Generator<JsonSchema> {
  let count = 0;
  for (const place of placesIn(other, sides.checkable)) {
    for (const constraint of constraintsOf(place.schema)) {
      if (count++ >= mostBreaches) return;
      yield { allOf: [one, place.whole(constraint.broken)] };
    }
  }
}

function firstOf<T>(all: Iterable<T>, find: (one: T) => Found | null): Found | null {
  for (const one of all) {
    const found = find(one);
    if (found !== null) return found;
  }
  return null;
}

function search(
  suspects: JsonSchema,
  isWanted: (value: Json) => boolean,
  numRuns: number,
  sides: TwoSides,
  work: Work,
): Found | null {
  if (work.isUsedUp || unfoldsFar(suspects, sides)) return null;
  try {
    const values = arbitraryOf(suspects, sides.checkable, {
      undeclaredMembers: true,
      onTry: (steps) => work.step(steps),
    });
    const sample = fc.sample(values, { numRuns, seed }).filter(isWanted);
    const [smallest] = sample.toSorted((a, b) => canonicalJson(a).length - canonicalJson(b).length);
    if (smallest === undefined) return null;
    return { value: shrunk(smallest, isWanted) };
  } catch (error) {
    // Nothing to look at, a schema that no value can be made for, or too long a search for one.
    if (error instanceof NoValueFound || error instanceof UnusableSchema || error instanceof OutOfWork) return null;
    throw error;
  }
}
