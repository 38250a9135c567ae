/** One way to be let in; the token names it in pointers, whatever its place in the list. */
export interface Alternative {
  readonly token: string;
  /** Equal for alternatives that ask for the same scopes of schemes with the same names. */
  readonly text: string;
  readonly names: readonly string[];
  /** What is needed together, as people read it, by what it is. */
  readonly parts: ReadonlyMap<string, string>;
}

/** The alternatives of one operation that the other side does not have. */
export interface Difference {
  readonly gone: readonly Alternative[];
  readonly come: readonly Alternative[];
}

/** What stands in place of what, as people read it. */
export interface Replacement {
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Those that came among them, by their text. */
  readonly come: ReadonlySet<string>;
}

/**
 * What an author did, told by all operations together, since each has other alternatives beside: those that go in the same
 * operations went at once, and in their place came what comes in these and no others, or else in all of these and others.
 */
export function securityEdits(differences: readonly Difference[]) {
  const [goneIn, comeIn] = [indexed(differences.map(({ gone }) => gone)), indexed(differences.map(({ come }) => come))];
  return {
    /** Of an alternative that is gone. */
    ofGone: ({ gone, come }: Difference, one: Alternative): Replacement => {
      const own = placesOf(goneIn, one);
      const together = gone.filter((other) => isSame(placesOf(goneIn, other), own));
      return replacement(together, counterparts(own, { list: gone, places: goneIn }, { list: come, places: comeIn }));
    },
    /** Of one that comes, where `gone` are those that nobody misses. */
    ofCome: (gone: readonly Alternative[], { come }: Difference, one: Alternative): Replacement => {
      const own = placesOf(comeIn, one);
      const together = come.filter((other) => isSame(placesOf(comeIn, other), own));
      return replacement(counterparts(own, { list: come, places: comeIn }, { list: gone, places: goneIn }), together);
    },
  };
}

/** The places of alternatives by their text: indexes of operations. */
type Places = ReadonlyMap<string, ReadonlySet<number>>;

function indexed(lists: readonly (readonly Alternative[])[]): Places {
  const found = new Map<string, Set<number>>();
  for (const [index, list] of lists.entries()) {
    for (const { text } of list) found.set(text, (found.get(text) ?? new Set()).add(index));
  }
  return found;
}

const nowhere: ReadonlySet<number> = new Set();
const placesOf = (places: Places, { text }: Alternative): ReadonlySet<number> => places.get(text) ?? nowhere;

const isWithin = (one: ReadonlySet<number>, other: ReadonlySet<number>): boolean =>
  one.size <= other.size && [...one].every((place) => other.has(place));
const isSame = (one: ReadonlySet<number>, other: ReadonlySet<number>): boolean =>
  one.size === other.size && isWithin(one, other);

/** A list of one side's alternatives in an operation, with the places of all of its side. */
interface Side {
  readonly list: readonly Alternative[];
  readonly places: Places;
}

/** The other side's alternatives that stand in just these places; else those that stand in all of them and are no other's. */
function counterparts(own: ReadonlySet<number>, side: Side, other: Side): readonly Alternative[] {
  const found = other.list.filter((one) => isWithin(own, placesOf(other.places, one)));
  const alone = found.filter((one) => isSame(own, placesOf(other.places, one)));
  if (alone.length > 0) return alone;
  return found.filter(
    (one) => !side.list.some((each) => isSame(placesOf(side.places, each), placesOf(other.places, one))),
  );
}

/** Of one in place of one, what both ask for stands beside the edit. */
function replacement(gone: readonly Alternative[], come: readonly Alternative[]): Replacement {
  const texts = new Set(come.map(({ text }) => text));
  const [[old, ...others], [now, ...more]] = [gone, come];
  if (old !== undefined && now !== undefined && others.length + more.length === 0) {
    const [before, after] = [without(old, now), without(now, old)];
    if (before.parts.size > 0 && after.parts.size > 0) {
      return { before: [shown(before)], after: [shown(after)], come: texts };
    }
  }
  return { before: shownAll(gone), after: shownAll(come), come: texts };
}

const without = (one: Alternative, other: Alternative): Pick<Alternative, "parts"> => ({
  parts: new Map([...one.parts].filter(([part]) => !other.parts.has(part))),
});

const shownAll = (all: readonly Alternative[]): readonly string[] => [...new Set(all.map(shown))].sort();

const shown = ({ parts }: Pick<Alternative, "parts">): string => [...parts.values()].join(" and ") || "none";
