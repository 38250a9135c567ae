import { type Doubt, mostDoubts } from "./inclusion/doubt.ts";
import { isExchanged } from "./inclusion/exchanged.ts";
import { findPlaces, placesOfDoubts, unproved } from "./inclusion/find-places.ts";
import type { Reading } from "./inclusion/naming.ts";
import { Prover } from "./inclusion/prover.ts";
import type { FurtherPlace, Refusal } from "./inclusion/refusal.ts";
import { checkable, checkableSide, plain, type Sided, type TwoSides, twoSides } from "./inclusion/two-sides.ts";
import { type Undecided, VainSearches } from "./inclusion/undecided.ts";
import { OutOfWork, plentiful, Work } from "./inclusion/work.ts";
import type { Json, JsonSchema } from "./json-schema.ts";
import { forEachSubschema } from "./keywords.ts";
import { UnresolvedReference } from "./resolve-reference.ts";
import { UnusableSchema, type Violation, validatorFor } from "./validator.ts";

export { type Reading, type Refusal, type Sided, Work };

export type Inclusion =
  | { readonly kind: "included" }
  | ({ readonly kind: "not-included"; readonly further: readonly FurtherPlace[] } & Refusal)
  | Undecided;

/** What is known of a pair of documents. */
interface Known {
  readonly provers: Map<Reading, Prover>;
  readonly verdicts: Map<string, Inclusion>;
  readonly vain: VainSearches;
  /** Places that were looked at, of all comparisons. */
  places: number;
}

/**
 * Where everything leads everywhere, what differs in a few components differs at each place of each schema. Beyond so many
 * places in all, or where work is scarce, few of each schema are told: the nearest, so that what differs is told where it
 * stands.
 */
const manyPlaces = 12_000;
const fewPlaces = 10;

const known = new WeakMap<Work, WeakMap<TwoSides, Known>>();

function knownOf(work: Work, sides: TwoSides): Known {
  const ofWork = known.get(work) ?? new WeakMap<TwoSides, Known>();
  known.set(work, ofWork);
  const found = ofWork.get(sides) ?? { provers: new Map(), verdicts: new Map(), vain: new VainSearches(), places: 0 };
  ofWork.set(sides, found);
  return found;
}

const ownWork = new WeakMap<TwoSides, Work>();

/** For whoever brings none: the work on one pair of documents. */
function workOn(sides: TwoSides): Work {
  const found = ownWork.get(sides) ?? new Work(plentiful);
  ownWork.set(sides, found);
  return found;
}

/**
 * Is every value that is valid under the one schema also valid under the other? "included" is proved from the
 * structure of both; "not-included" is shown by a value that the validator accepts under the one and refuses under
 * the other; all else is unknown, as is what `work` does not suffice for. Annotations don't count. Texts are taken to
 * be well-formed Unicode.
 * Verdicts are kept for each pair of documents (components, by identity), by what the schemas say. Read by `names`, only
 * values of the one that are exchanged with the other count: no member is there that the other alone names.
 */
export function includes(one: Sided, other: Sided, reading: Reading = "letter", work?: Work): Inclusion {
  return orUnknown(() => {
    const sides = twoSides(one.components, other.components);
    const [first, second] = [sides.first(one.schema), sides.second(other.schema)];
    const [number, otherNumber] = [sides.numbers.numberOf(first), sides.numbers.numberOf(second)];
    if (number === otherNumber) return { kind: "included" };
    const taken = work ?? workOn(sides);
    const { verdicts } = knownOf(taken, sides);
    // Before anything is compiled: of that no step is counted.
    const spent: Inclusion | null = taken.isSpent ? { ...unknown(taken.reason), isUnfinished: true } : null;
    const key = `${reading} ${number} ${otherNumber}`;
    const made = verdicts.get(key) ?? spent ?? orUnknown(() => judge(one, other, first, second, sides, reading, taken));
    verdicts.set(key, made);
    return made;
  });
}

/** What nobody can compile, follow or unfold can't be judged. */
function orUnknown(judged: () => Inclusion): Inclusion {
  try {
    return judged();
  } catch (error) {
    if (error instanceof UnusableSchema || error instanceof UnresolvedReference) {
      return unknown(error.message);
    }
    if (error instanceof RangeError) return unknown("The schema unfolds too deep to be compared.");
    throw error;
  }
}

const unknown = (why: string): Undecided => ({ kind: "unknown", why });

function judge(
  one: Sided,
  other: Sided,
  first: JsonSchema,
  second: JsonSchema,
  sides: TwoSides,
  reading: Reading,
  work: Work,
): Inclusion {
  if ([first, second].some((schema) => nestsBeyond(schema, mostLevels))) {
    return unknown(`The schema nests more than ${mostLevels} levels. Say parts of it as components.`);
  }
  // What can't be compiled can't be compared: a malformed keyword would read as absent.
  const [valid, validThere] = [violationsOf(one), violationsOf(other)];
  const { doubts, cutShort } = proved(first, second, sides, reading, work);
  if (doubts.length === 0) return { kind: "included" };
  work.grant();
  const own = knownOf(work, sides);
  const all = placesOfDoubts(doubts);
  const places = own.places > manyPlaces || work.isScarce ? all.slice(0, fewPlaces) : all;
  own.places += places.length;
  const isCut = doubts.length >= mostDoubts || places.length < all.length;
  const isOfFirst = (value: Json): boolean =>
    valid(value).length === 0 && (reading === "letter" || isExchanged(value, first, second, sides));
  const origins = doubts.map(({ origin }) => origin);
  const { vain } = own;
  const kept = vain.keptFor(origins);
  const doubted = places.map(({ place, keyword }) => ({ place, keyword }));
  if (kept !== null) return { ...kept, doubted };
  const found = findPlaces(first, second, places, sides, { isOfFirst, validThere }, work);
  const [shown, ...others] = found;
  if (shown === undefined) {
    if (cutShort !== null) return { kind: "unknown", why: cutShort, isUnfinished: true };
    const unproved = `Not proved: ${told(doubts)}.`;
    const isUnfinished = doubts.some((doubt) => doubt.isUnfinished === true);
    const isUsedUp = work.isUsedUp && !isUnfinished;
    const outcome = isUnfinished
      ? "Parts of it were not decided within the work."
      : isUsedUp
        ? `The search for a value was ended: ${work.reason}`
        : "No value was found that shows it.";
    const verdict: Undecided = {
      ...{ kind: "unknown", why: `${unproved} ${outcome}`, doubted },
      ...(isUnfinished || isUsedUp ? { isUnfinished: true } : {}),
    };
    vain.keep(
      verdict,
      origins.filter((origin) => origin !== null),
    );
    return verdict;
  }
  return {
    kind: "not-included",
    ...shown,
    further: [...others.map((refusal) => ({ kind: "shown", ...refusal }) as const), ...unproved(places, found, isCut)],
  };
}

/** Schemas inside of schemas, references aside; written by hand they have a tenth. */
const mostLevels = 100;

function nestsBeyond(schema: JsonSchema, levels: number): boolean {
  if (levels === 0) return true;
  let found = false;
  forEachSubschema(schema, (inner) => {
    found ||= nestsBeyond(inner, levels - 1);
  });
  return found;
}

/** The validator of a side by itself: the two sides as one is a matter of this library, verdicts rest on each alone. */
const violationsOf = ({ schema, components }: Sided): ((value: unknown) => readonly Violation[]) =>
  validatorFor(checkableSide(components)).compile(checkable(plain(schema)));

/** `cutShort`: why the proof ended before it was through; null when it was. */
function proved(
  first: JsonSchema,
  second: JsonSchema,
  sides: TwoSides,
  reading: Reading,
  work: Work,
): { readonly doubts: readonly Doubt[]; readonly cutShort: string | null } {
  const { provers, vain } = knownOf(work, sides);
  const prover = provers.get(reading) ?? new Prover(sides, reading, work, vain);
  provers.set(reading, prover);
  work.grant();
  try {
    return { doubts: prover.prove(first, second), cutShort: null };
  } catch (error) {
    if (!(error instanceof OutOfWork)) throw error;
    return { doubts: [{ pointer: "", keyword: "allOf", origin: null, suspects: first }], cutShort: error.message };
  }
}

const told = (doubts: readonly Doubt[]): string => {
  const distinct = new Set(
    doubts.map(({ pointer, keyword }) => `"${keyword}" at ${pointer === "" ? "the value" : pointer}`),
  );
  return [...distinct].slice(0, 3).join(", ");
};
