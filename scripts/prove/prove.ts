import fc from "fast-check";
import { moreComponents } from "../../compiler/schema/fixtures/inclusion-cases.ts";
import { judgedPair } from "../../compiler/schema/fixtures/judged-pair.ts";
import { components as basicComponents } from "../../compiler/schema/fixtures/keyword-schemas.ts";
import { type Mutated, mutatedSchema } from "../../compiler/schema/fixtures/schema-mutations.ts";
import { type Inclusion, includes, type Reading, type Sided } from "../../compiler/schema/inclusion.ts";

/** How many verdicts of each kind were given, and which of them something contradicts. */
export interface Proving {
  readonly verdicts: Readonly<Record<Inclusion["kind"], number>>;
  readonly contradictions: readonly string[];
}

const components = { ...basicComponents, ...moreComponents };
// Of another document, as far as identity goes.
const otherComponents = structuredClone(components);

/** So many schemas with what a few edits make of them; the same for the same seed. */
export const drawnPairs = (pairs: number, seed: number): readonly Mutated[] =>
  fc.sample(mutatedSchema, { numRuns: pairs, seed });

/** Judges so many pairs both ways round, by the letter and by name, and tries each verdict; `judge` is the engine's own unless a test plants another. */
export function prove(pairs: number, seed: number, judge: typeof includes = includes): Proving {
  const verdicts = { included: 0, "not-included": 0, unknown: 0 };
  const contradictions: string[] = [];
  const tried = (one: Sided, other: Sided, by: string, reading: Reading): void => {
    const { kind, contradiction, wrong } = judgedPair(one, other, seed, judge, reading);
    verdicts[kind] += 1;
    const what =
      contradiction === undefined ? wrong : [`${JSON.stringify(contradiction)} is a value of the first only`];
    const about = `${by}, by ${reading}: ${JSON.stringify(one.schema)} in ${JSON.stringify(other.schema)}`;
    for (const text of what) contradictions.push(`${kind}, yet ${text} (${about})`);
  };
  for (const { before, after, by } of drawnPairs(pairs, seed)) {
    for (const reading of ["letter", "names"] as const) {
      tried({ schema: before, components }, { schema: after, components: otherComponents }, by.join(", "), reading);
      tried({ schema: after, components: otherComponents }, { schema: before, components }, by.join(", "), reading);
    }
  }
  return { verdicts, contradictions };
}
