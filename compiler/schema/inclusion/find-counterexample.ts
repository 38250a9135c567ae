import fc from "fast-check";
import type { Json, JsonSchema } from "../../contract.ts";
import { arbitraryOf } from "../arbitrary.ts";
import { NoValueFound } from "../bounded-filter.ts";
import { canonicalJson } from "../canonical-json.ts";
import { constraintsOf } from "../constraints.ts";
import { placesIn } from "../places.ts";
import { UnusableSchema, validatorFor } from "../validator.ts";
import type { Doubt } from "./doubt.ts";
import { shrunk } from "./shrink.ts";
import { checkable, type TwoSides } from "./two-sides.ts";

const seed = 20260102;
const runs = { perDoubt: 8, perDoubtAgain: 50, perBreach: 8, anywhere: 60 } as const;
const mostBreaches = 20;

/**
 * A value that the one schema accepts and the other refuses, shrunk; null when a bounded search finds none. First
 * among the values that a failed proof points to, then where the other schema has a constraint to break, then anywhere.
 */
export function findCounterexample(
  one: JsonSchema,
  other: JsonSchema,
  doubts: readonly Doubt[],
  sides: TwoSides,
): { readonly value: Json } | null {
  const { accepts } = validatorFor(sides.checkable);
  const [first, second] = [checkable(one), checkable(other)];
  const [valid, validThere] = [accepts(first), accepts(second)];
  const isCounterexample = (value: Json): boolean => {
    try {
      return valid(value) && !validThere(value);
    } catch (error) {
      if (error instanceof UnusableSchema) return false;
      throw error;
    }
  };
  const among = (suspects: JsonSchema, numRuns: number): { readonly value: Json } | null =>
    search(checkable(suspects), isCounterexample, numRuns, sides);

  const found = firstOf(doubts, ({ suspects }) => among(suspects, runs.perDoubt));
  if (found !== null) return found;
  const broken = [{ allOf: [first, { not: second }] }, ...breaking(first, second, sides)];
  return (
    firstOf(broken, (suspects) => among(suspects, runs.perBreach)) ??
    firstOf(doubts, ({ suspects }) => among(suspects, runs.perDoubtAgain)) ??
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

function firstOf<T>(
  all: Iterable<T>,
  find: (one: T) => { readonly value: Json } | null,
): { readonly value: Json } | null {
  for (const one of all) {
    const found = find(one);
    if (found !== null) return found;
  }
  return null;
}

function search(
  suspects: JsonSchema,
  isCounterexample: (value: Json) => boolean,
  numRuns: number,
  { checkable: components }: TwoSides,
): { readonly value: Json } | null {
  try {
    const values = arbitraryOf(suspects, components, { undeclaredMembers: true });
    const sample = fc.sample(values, { numRuns, seed }).filter(isCounterexample);
    const [smallest] = sample.toSorted((a, b) => canonicalJson(a).length - canonicalJson(b).length);
    return smallest === undefined ? null : { value: shrunk(smallest, isCounterexample) };
  } catch (error) {
    // Nothing to look at, or a schema that no value can be made for.
    if (error instanceof NoValueFound || error instanceof UnusableSchema) return null;
    throw error;
  }
}
