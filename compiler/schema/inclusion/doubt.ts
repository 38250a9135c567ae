import type { JsonSchema } from "../json-schema.ts";
import type { Left } from "./left.ts";
import type { Naming } from "./naming.ts";

/** Something that the other side asks for and that could not be proved. */
export interface Doubt {
  /** Where in the value, as a JSON Pointer; `*` is any item or any undeclared member. */
  readonly pointer: string;
  readonly keyword: string;
  /**
   * The innermost two components, or alternatives that a member tells apart, that were compared when the doubt arose,
   * where inside of them, and the keyword: what differs in a component differs wherever it is used. Null outside of any.
   */
  readonly origin: string | null;
  /** Values of the left side among which one that the other side refuses is likely. */
  readonly suspects: Suspects;
  /** It rests on what was not decided, since the work was used up. */
  readonly isUnfinished?: true;
}

export type Suspects = JsonSchema | Holders;

/** The schema of suspects. */
export const suspectsOf = ({ suspects }: Pick<Doubt, "suspects">): JsonSchema =>
  suspects instanceof Holders ? suspects.schema : suspects;

/**
 * Values that hold suspects at a member or an item. Doubts are many and few of them are looked at, so the schema is made
 * when it is asked for.
 */
class Holders {
  private readonly whole: JsonSchema;
  private readonly at: string | number;
  private readonly part: Suspects;
  private made: JsonSchema | null = null;

  constructor(whole: JsonSchema, at: string | number, part: Suspects) {
    this.whole = whole;
    this.at = at;
    this.part = part;
  }

  get schema(): JsonSchema {
    this.made ??= { allOf: [this.whole, holding(this.at, suspectsOf({ suspects: this.part }))] };
    return this.made;
  }
}

function holding(at: string | number, part: JsonSchema): JsonSchema {
  if (typeof at === "string") return { type: "object", required: [at], properties: { [at]: part } };
  return { minItems: at + 1, prefixItems: [...Array.from({ length: at }, (): JsonSchema => ({})), part] };
}

/** At most so many doubts are told of one pair of schemas: one is enough to refute, the others tell where else. */
export const mostDoubts = 200;

/** The left side's values that moreover satisfy some schemas. */
export const narrowed = (left: Left, ...more: readonly JsonSchema[]): JsonSchema => ({
  allOf: [left.schema, ...more],
});

/** The doubt that values of the left side break a keyword, likely those that satisfy the schema too. */
export const doubt = (left: Left, keyword: string, more: JsonSchema): Doubt => ({
  pointer: "",
  keyword,
  origin: null,
  suspects: narrowed(left, more),
});

/**
 * What stands against a part of a value, the member or item `at`, as a doubt about the whole: it comes from the same, and is as
 * decided.
 */
export const ofPart = (left: Left, at: string | number, inner: Doubt, token: string): Doubt => ({
  ...inner,
  pointer: `${token}${inner.pointer}`,
  suspects: new Holders(left.schema, at, inner.suspects),
});

/** The doubts, arisen in a claim about two components or alternatives where they arose in none inside of them. */
export const originatingIn = (claim: string, doubts: readonly Doubt[]): readonly Doubt[] =>
  doubts.map((doubt) =>
    doubt.origin === null ? { ...doubt, origin: `${claim} at ${doubt.pointer} by ${doubt.keyword}` } : doubt,
  );

/** Most places that are told of what one difference of components makes doubtful, and most doubts of it at one place. */
const mostOfOrigin = 2;
const mostOfPlace = 8;

function tokensIn(pointer: string): number {
  let count = 0;
  for (const character of pointer) if (character === "/") count += 1;
  return count;
}

/** What differs in a component is doubted where it is met first, and at few places more. */
export function eachOnce(doubts: readonly Doubt[]): readonly Doubt[] {
  if (doubts.length < 2) return doubts;
  const places = new Map<string, Set<string>>();
  const counts = new Map<string, number>();
  return doubts
    .map((doubt) => ({ doubt, depth: tokensIn(doubt.pointer) }))
    .toSorted((one, other) => one.depth - other.depth)
    .map(({ doubt }) => doubt)
    .filter(({ origin, pointer }) => {
      const from = `${pointer} ${origin ?? ""}`;
      const count = (counts.get(from) ?? 0) + 1;
      counts.set(from, count);
      if (count > mostOfPlace) return false;
      if (origin === null) return true;
      const known = places.get(origin) ?? new Set();
      places.set(origin, known);
      return known.size < mostOfOrigin ? known.add(pointer) : known.has(pointer);
    });
}

/** What stands against some things, one after the other, until there are enough. */
export function collected<T>(
  all: readonly T[],
  doubts: (one: T) => readonly Doubt[],
  most = mostDoubts,
): readonly Doubt[] {
  const found: Doubt[] = [];
  for (const one of all) {
    if (found.length >= most) break;
    found.push(...doubts(one));
  }
  return found;
}

/** What the rules of one type may ask about schemas elsewhere. */
export interface Judge {
  /** What stands against every part's value of the one schema being one of the other. A part is one step down. */
  readonly partIncludes: (part: JsonSchema, other: JsonSchema) => readonly Doubt[];
  readonly partIsEmpty: (part: JsonSchema) => boolean;
  /** The same about the value itself. */
  readonly includes: (one: JsonSchema, other: JsonSchema) => readonly Doubt[];
  readonly isEmpty: (schema: JsonSchema) => boolean;
  /** The members that the left side's objects have by name; null where they may have any. */
  readonly naming: (left: Left) => Naming | null;
  /** Proves something of all values, whoever names what: what is said of a part of the left side's schema alone. */
  readonly byLetter: <T>(prove: () => T) => T;
  /** Whether the schema surely accepts, or surely refuses, a value; null where nobody can tell. */
  readonly accepts: (schema: JsonSchema, value: string) => boolean | null;
}
