import { sameJson } from "../canonical-json.ts";
import type { Json, JsonSchema } from "../json-schema.ts";
import { UnusableSchema, type Violation } from "../validator.ts";
import type { Doubt } from "./doubt.ts";
import { findAmong, findAnywhere } from "./find-counterexample.ts";
import type { FurtherPlace, Refusal } from "./refusal.ts";
import { shrunk } from "./shrink.ts";
import type { TwoSides } from "./two-sides.ts";
import { placeIn } from "./witnesses.ts";
import type { Work } from "./work.ts";

/** The two sides, each judged by itself. */
export interface Sides {
  /** Whether a value is one of the first side's. */
  readonly isOfFirst: (value: Json) => boolean;
  readonly validThere: (value: unknown) => readonly Violation[];
}

/** The doubts about one place of the value and one keyword, of one origin: alternatives may differ at a place each in its way. */
export interface DoubtedPlace {
  readonly place: string;
  readonly keyword: string;
  /** What the doubts come from: shown at one place, it need not be shown at others. */
  readonly origin: string | null;
  readonly doubts: readonly Doubt[];
}

export function placesOfDoubts(doubts: readonly Doubt[]): readonly DoubtedPlace[] {
  const found = Map.groupBy(doubts, ({ pointer, keyword, origin }) => JSON.stringify([pointer, keyword, origin]));
  return [...found.values()].flatMap((of): readonly DoubtedPlace[] => {
    const [first] = of;
    if (first === undefined) return [];
    return [{ place: first.pointer, keyword: first.keyword, doubts: of, origin: first.origin }];
  });
}

/**
 * Values that one side accepts and the other refuses: one for each doubted place where one is found, refused there and
 * nowhere else if that can be. At a place where one is shown, another keyword is told of too where a value shows it that
 * breaks no other there: what is refused by both is told once. When no place shows one, one from anywhere. Each is judged
 * by both validators. What is found until the work is used up is told.
 */
export function findPlaces(
  first: JsonSchema,
  second: JsonSchema,
  places: readonly DoubtedPlace[],
  sides: TwoSides,
  { isOfFirst, validThere }: Sides,
  work: Work,
): readonly Refusal[] {
  const isAtPlace = placedAmong(places);
  let last: { readonly value: Json; readonly violations: readonly Violation[] } | null = null;
  const violationsOf = (value: Json): readonly Violation[] => {
    // What is found is asked for once more when it is told.
    if (last !== null && last.value === value) return last.violations;
    const violations = refusedThere(value, { isOfFirst, validThere });
    last = { value, violations };
    return violations;
  };
  const isCounterexample = (value: Json): boolean => work.hasStep() && violationsOf(value).length > 0;
  const shown: Shown[] = [];
  /** What is told of a place already, as far as it may come from the same. */
  const toldAt = (place: string, origin: string | null): readonly Refusal[] =>
    shown
      .filter(({ refusal, origin: own }) => refusal.place === place && (origin === null || origin === own))
      .map(({ refusal }) => refusal);
  /** Keywords that are shown at a place and not looked for again: those of the same origin, and others than the one that is doubted. */
  const knownAt = ({ place, keyword, origin }: DoubtedPlace): ReadonlySet<string> => {
    const [own, all] = [toldAt(place, origin), toldAt(place, null)];
    return new Set([...own, ...all.filter((one) => one.keyword !== keyword)].map((one) => one.keyword));
  };
  const show = (value: Json, wanted: string | null, origin: string | null): void => {
    const all = violationsOf(value);
    // The proof knows which alternative a value is meant to be; of others the union as a whole is told.
    const here = all.filter((one) => wanted !== null && isAtPlace(wanted, one));
    const [violation] = causes(here.length > 0 ? here : all);
    if (violation === undefined) return;
    const { pointer, keyword } = violation;
    const place = wanted !== null && isAtPlace(wanted, violation) ? wanted : placeIn(value, pointer);
    if (toldAt(place, origin).some((one) => one.keyword === keyword)) return;
    // One value shows one thing of a place, wherever that comes from.
    if (
      shown.some(
        ({ refusal: one }) => one.place === place && one.keyword === keyword && sameJson(one.counterexample, value),
      )
    )
      return;
    shown.push({ origin, refusal: { counterexample: value, pointer, place, keyword, why: sentence(violation) } });
  };
  const mixed = new Map<DoubtedPlace, Json>();
  /** Those of which the mixed value breaks the doubted keyword itself. */
  const exact = new Set<DoubtedPlace>();
  const told = new Set<string>();
  const lookAt = (doubted: DoubtedPlace, from: "made" | "sampled"): void => {
    const { place, doubts, origin } = doubted;
    if (isToldOf(origin, told)) return;
    const known = knownAt(doubted);
    /** Whether what is broken at the place is what is looked for. */
    const isWanted = (broken: readonly Violation[]): boolean =>
      broken.length > 0 && (known.size === 0 || !causes(broken).some((one) => known.has(one.keyword)));
    const isOfPlace = (value: Json): boolean => {
      if (!work.hasStep()) return false;
      const all = violationsOf(value);
      if (all.length === 0) return false;
      const here = all.filter((one) => isAtPlace(place, one));
      const isHere = isWanted(here);
      const isPure = isHere && causes(all).every((cause) => isAtPlace(place, cause) || isAround(cause, place));
      const isExact = here.some(({ keyword }) => keyword === doubted.keyword);
      if (isHere && !isPure && (!mixed.has(doubted) || (isExact && !exact.has(doubted)))) {
        mixed.set(doubted, value);
        if (isExact) exact.add(doubted);
      }
      return isPure;
    };
    const [first = [], others = []] = [doubts.slice(0, 1), doubts.slice(1)];
    const found =
      from === "sampled"
        ? findAmong(doubts, sides, isOfPlace, "sampled", work)
        : (findAmong(first, sides, isOfPlace, "made", work) ??
          (mixed.has(doubted) ? null : findAmong(others, sides, isOfPlace, "made", work)));
    if (found === null) return;
    show(found.value, place, origin);
    if (origin !== null) told.add(origin);
  };
  for (const doubted of places) lookAt(doubted, "made");
  // To sample values of one place may take all of the work: no other waits for it.
  for (const doubted of places) if (shown.length === 0 && mixed.size === 0) lookAt(doubted, "sampled");
  // What is refused at several places at once tells of each that nothing else tells of.
  for (const doubted of places) {
    const { place, origin } = doubted;
    if (isToldOf(origin, told)) continue;
    const value = mixed.get(doubted);
    if (value === undefined) continue;
    const known = knownAt(doubted);
    const isHere = (smaller: Json): boolean => {
      if (!work.hasStep()) return false;
      const broken = violationsOf(smaller).filter((one) => isAtPlace(place, one));
      return broken.length > 0 && !causes(broken).some((one) => known.has(one.keyword));
    };
    if (known.size > 0 && !isHere(value)) continue;
    show(shrunk(value, isHere), place, origin);
    if (origin !== null) told.add(origin);
  }
  if (shown.length === 0) {
    const all = places.flatMap(({ doubts }) => doubts);
    const found = findAnywhere(first, second, all, sides, isCounterexample, work);
    if (found !== null) show(found.value, null, null);
  }
  return shown.map(({ refusal }) => refusal);
}

/** Why the second side refuses a value of the first; nothing where it does not, or the value is none. */
function refusedThere(value: Json, { isOfFirst, validThere }: Sides): readonly Violation[] {
  try {
    // Most values that are tried are accepted, and to look whether one is exchanged takes longer.
    const violations = validThere(value);
    return violations.length > 0 && isOfFirst(value) ? violations : [];
  } catch (error) {
    if (error instanceof UnusableSchema) return [];
    throw error;
  }
}

interface Shown {
  readonly origin: string | null;
  readonly refusal: Refusal;
}

/**
 * Whether a violation is of a place; a member that is missing is none of those that no schema names, and one that is not
 * provided for is none where a place of its own is doubted.
 */
const placedAmong = (places: readonly DoubtedPlace[]) => {
  const named = new Set(places.map(({ place }) => place));
  return (place: string, { pointer, keyword }: Violation): boolean => {
    if (!leadsTo(place, pointer)) return false;
    if (!place.endsWith("/*")) return true;
    return keyword !== "required" && !(closings.has(keyword) && named.has(namedBy(place, pointer)));
  };
};

const closings: ReadonlySet<string> = new Set(["additionalProperties", "unevaluatedProperties"]);

/** The place of the member that a pointer leads to, beside a place of members that no schema names. */
const namedBy = (place: string, pointer: string): string =>
  `${place.slice(0, -"*".length)}${pointer.slice(pointer.lastIndexOf("/") + 1)}`;

/** What is doubted at a place comes from a difference of components or alternatives that is shown elsewhere. */
const isToldOf = (origin: string | null, told: ReadonlySet<string>): boolean => origin !== null && told.has(origin);

/** Bounds that each refuse values of their own; of one line those that refuse the same. */
const bounds: ReadonlyMap<string, string> = new Map(
  [
    ["minItems"],
    ["maxItems"],
    ["minLength"],
    ["maxLength"],
    ["minProperties"],
    ["maxProperties"],
    ["minimum", "exclusiveMinimum"],
    ["maximum", "exclusiveMaximum"],
    ["multipleOf"],
    ["pattern"],
    ["uniqueItems"],
  ].flatMap((alike) => alike.map((keyword) => [keyword, alike[0] ?? keyword] as const)),
);

/**
 * Doubted places where nothing was found, but for those around or inside a place where something was; and bounds beside
 * another one that is shown at their place.
 */
export function unproved(
  places: readonly DoubtedPlace[],
  shown: readonly Refusal[],
  isCut: boolean,
): readonly FurtherPlace[] {
  const isTold = (place: string): boolean =>
    shown.some(
      (one) =>
        `${one.place}/`.startsWith(`${place}/`) ||
        `${place}/`.startsWith(`${one.place}/`) ||
        // A member that is named beside others tells of them where only it shows that they are admitted.
        (closings.has(one.keyword) && place.endsWith("/*") && namedBy(place, one.place) === one.place),
    );
  const origins = new Set(places.filter(({ place }) => isTold(place)).flatMap(({ origin }) => origin ?? []));
  const left = new Map<string, FurtherPlace>();
  for (const { place, keyword, origin, doubts } of places) {
    if (left.has(place) || isTold(place) || isToldOf(origin, origins)) continue;
    const isUnfinished = doubts.every((doubt) => doubt.isUnfinished === true);
    left.set(place, { ...notProved(keyword, place), ...(isUnfinished ? { isUnfinished: true } : {}) });
  }
  for (const { place, keyword } of places) {
    const here = shown.filter((one) => one.place === place).map((one) => bounds.get(one.keyword));
    const bound = bounds.get(keyword);
    if (bound === undefined || here.length === 0 || here.some((one) => one === undefined || one === bound)) continue;
    left.set(`${place} ${bound}`, { ...notProved(keyword, place), isBesideShown: true });
  }
  const more: FurtherPlace = {
    ...{ kind: "unproved", place: "", keyword: "allOf" },
    why: "More places differ than are told one by one.",
  };
  return isCut ? [...left.values(), more] : [...left.values()];
}

const notProved = (keyword: string, place: string): Extract<FurtherPlace, { readonly kind: "unproved" }> => ({
  ...{ kind: "unproved", place, keyword },
  why: `Not proved: "${keyword}" at ${place === "" ? "the value" : place}. No value was found that shows it.`,
});

/** Whether a pointer leads to a place; `*` of a place is any token. */
function leadsTo(place: string, pointer: string): boolean {
  const [wanted, tokens] = [place.split("/"), pointer.split("/")];
  return wanted.length === tokens.length && wanted.every((token, index) => token === "*" || token === tokens[index]);
}

function sentence({ pointer, keyword, message }: Violation): string {
  switch (keyword) {
    case "required":
    case "dependentRequired":
      return `${pointer} is missing`;
    case "additionalProperties":
    case "unevaluatedProperties":
      return `${pointer} is not provided for`;
    default:
      return `${pointer === "" ? "the value" : pointer} ${message}`;
  }
}

const unions: readonly string[] = ["anyOf", "oneOf"];

/** A union that is broken because of what stands at the place. */
const isAround = ({ keyword, pointer }: Violation, place: string): boolean =>
  unions.includes(keyword) && leadsTo(place.split("/").slice(0, pointer.split("/").length).join("/"), pointer);

/** Of a value's violations those to tell: a union as a whole, not what is wrong under each of its alternatives. */
export function causes(violations: readonly Violation[]): readonly Violation[] {
  const whole = violations.filter(({ keyword }) => unions.includes(keyword));
  const isDetail = ({ pointer, keyword }: Violation): boolean =>
    !unions.includes(keyword) && whole.some((union) => `${pointer}/`.startsWith(`${union.pointer}/`));
  const told = violations.filter((violation) => !isDetail(violation));
  return told.length > 0 ? told : violations;
}
