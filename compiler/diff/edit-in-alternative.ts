import type { Json, JsonSchema } from "../contract.ts";
import { canonicalJson } from "../schema/canonical-json.ts";
import { bareReference } from "../schema/inclusion/counterpart.ts";
import { causes } from "../schema/inclusion/find-places.ts";
import { checkable, checkableSide, plain } from "../schema/inclusion/two-sides.ts";
import { placeIn } from "../schema/inclusion/witnesses.ts";
import { isList, isObject, schemasAt } from "../schema/schema-node.ts";
import { escapeToken, validatorFor } from "../schema/validator.ts";
import { valueAt } from "./json-at.ts";
import type { Meant } from "./meant.ts";
import type { Found } from "./place-edit.ts";
import { entriesTo, schemasAtPlace } from "./schema-walk.ts";
import { keyOf, nameOfBranch, onlyOfType } from "./text-edits.ts";

/** Two alternatives at a place that are each other's, and what the one of them refuses there. */
interface InAlternative {
  readonly base: Meant;
  readonly head: Meant;
  /** JSON Pointer into the document to the alternative of the head. */
  readonly at: string;
  /** Where the union stands. */
  readonly place: string;
  readonly found: Found;
  /** What the one refuses the side took no exception to where the value is refused: it is of another alternative too. */
  readonly overlaps: boolean;
}

/**
 * What a value breaks that no alternative of a union admits, within the one that admits it on the other side; of one that
 * several admit now, what the further one took no exception to before. Null where the union was found to differ without a
 * value, or the alternative has no counterpart: then it came or went.
 */
export function inAlternative(
  base: Meant,
  head: Meant,
  root: string,
  { place: told, shown }: Found,
): InAlternative | null {
  // A union may be told of at a place inside of its values that is behind it.
  const depth = shown === undefined ? 0 : shown.pointer.split("/").length;
  const place = told.split("/").slice(0, depth).join("/");
  const value = shown === undefined ? undefined : valueAt(shown.value, shown.pointer);
  if (shown === undefined || value === undefined) return null;
  const { refusedBy } = shown;
  const admittedBy = refusedBy === "base" ? "head" : "base";
  const pairs = alternativePairs(base, head, place);
  const violated = ({ base: before, head: after }: Pair) => ({
    base: violationsOf({ ...base, schema: before })(value),
    head: violationsOf({ ...head, schema: after })(value),
  });
  const tried = pairs.map((pair) => ({ pair, by: violated(pair) }));
  const brokenBy = (side: "base" | "head"): InAlternative | null => {
    const other = side === "base" ? "head" : "base";
    const one = tried.find(({ by }) => by[side].length > 0 && by[other].length === 0);
    const [violation] = one === undefined ? [] : causes(one.by[side]);
    if (one === undefined || violation === undefined) return null;
    const { pair } = one;
    const found = {
      ...{ place: placeIn(value, violation.pointer), keyword: violation.keyword },
      refusedBy: side,
      shown: { value, pointer: violation.pointer, refusedBy: side },
    };
    const at = pointerToPair(base, head, root, place, pair);
    return {
      base: { ...base, schema: pair.base },
      head: { ...head, schema: pair.head },
      ...{ at, place, found },
      overlaps: side !== refusedBy,
    };
  };
  return brokenBy(refusedBy) ?? brokenBy(admittedBy);
}

/** Whether the value that was found, or its part that is refused, is of no alternative at all there. */
export function isOfNone(side: Meant, { place, shown }: Found): boolean {
  const value = shown === undefined ? undefined : valueAt(shown.value, shown.pointer);
  if (value === undefined) return false;
  return alternativesAt(side, place).every((schema) => violationsOf({ ...side, schema })(value).length > 0);
}

/** What a value breaks of a schema, as its own side has it. */
export const violationsOf = ({ schema, components }: Meant) =>
  validatorFor(checkableSide(components)).compile(checkable(plain(schema)));

/** The alternatives of all unions at a place; where there is none, what speaks there is the only one. */
function alternativesAt({ schema, components }: Meant, place: string): readonly JsonSchema[] {
  const speaking = schemasAtPlace(schema, components, place);
  const branches = speaking.flatMap((one) => [...schemasAt(one, "anyOf"), ...schemasAt(one, "oneOf")]);
  return branches.length > 0 ? branches : speaking.slice(0, 1);
}

interface Pair {
  readonly base: JsonSchema;
  readonly head: JsonSchema;
}

/** The alternatives at a place that are each other's. */
export const alternativePairs = (base: Meant, head: Meant, place: string): readonly Pair[] =>
  pairsOf(base, head, alternativesAt(base, place), alternativesAt(head, place));

/** Alternatives that are each other's: of one name or tag, and those that are left where each side has one more. */
function pairsOf(
  base: Meant,
  head: Meant,
  before: readonly JsonSchema[],
  after: readonly JsonSchema[],
): readonly Pair[] {
  const [old, now] = [new Set(before), new Set(after)];
  const pairs: Pair[] = [];
  const match = (keyIn: (schema: JsonSchema, side: Meant) => string | null): void => {
    for (const one of old) {
      const key = keyIn(one, base);
      const other = key === null ? undefined : [...now].find((schema) => keyIn(schema, head) === key);
      if (other === undefined) continue;
      pairs.push({ base: one, head: other });
      old.delete(one);
      now.delete(other);
    }
  };
  match((schema) => nameOfBranch(bareReference(schema) ?? schema));
  match((schema) => keyOf(schema));
  match((schema) => canonicalJson(schema));
  for (const one of old) {
    const other = onlyOfType(one, [...old]) === one ? onlyOfType(one, [...now]) : undefined;
    if (other === undefined) continue;
    pairs.push({ base: one, head: other });
    old.delete(one);
    now.delete(other);
  }
  const [last, other] = [[...old], [...now]];
  const isNamed = [...last, ...other].every((schema) => bareReference(schema) !== null);
  if (isNamed || last.length !== other.length) return pairs;
  return [
    ...pairs,
    ...last.flatMap((one, index) => (other[index] === undefined ? [] : { base: one, head: other[index] })),
  ];
}

/** JSON Pointer into the document to an alternative at a place, as the head has it. */
export const pointerToPair = (base: Meant, head: Meant, root: string, place: string, pair: Pair): string =>
  pointerTo(head, root, place, pair.head) ?? pointerTo(base, root, place, pair.base) ?? `${root}${place}`;

/** JSON Pointer into the document to a schema that speaks at a place, within the text that holds it; null where none does. */
function pointerTo({ schema, components }: Meant, root: string, place: string, wanted: JsonSchema): string | null {
  const texts = entriesTo(schema, components, place).map(({ component }) => ({
    at: `/components/schemas/${escapeToken(component)}`,
    text: Object.hasOwn(components, component) ? components[component] : undefined,
  }));
  for (const { at, text } of [...texts.toReversed(), { at: root, text: schema }]) {
    const within = text === undefined ? null : wayTo(text, wanted);
    if (within !== null) return `${at}${within}`;
  }
  return null;
}

/** JSON Pointer from a text to a part of it, by identity. */
function wayTo(json: Json, wanted: Json): string | null {
  if (json === wanted) return "";
  const parts = isList(json) ? json.entries() : isObject(json) ? Object.entries(json) : [];
  for (const [token, part] of parts) {
    const inner = wayTo(part, wanted);
    if (inner !== null) return `/${escapeToken(String(token))}${inner}`;
  }
  return null;
}
