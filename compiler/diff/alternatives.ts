import type { JsonSchema } from "../contract.ts";
import { type Components, parseReference, resolveReference, UnresolvedReference } from "../schema/resolve-reference.ts";
import { enumerated, schemaAt, schemaMapAt, schemasAt, stringAt, typesOf } from "../schema/schema-node.ts";

/** One way in which an object can satisfy a schema: all that speaks about it then. */
export interface Alternative {
  /** What tells it from the others: the names of components, values of tags or indexes chosen on the way. */
  readonly key: string;
  readonly schemas: readonly JsonSchema[];
  /** Those that speak whatever the object holds. */
  readonly sure: readonly JsonSchema[];
}

/** What two schemas say about one place of their values. */
export interface PairedVisit {
  /** Every schema of the side that speaks about the place; not empty. */
  readonly base: readonly JsonSchema[];
  readonly head: readonly JsonSchema[];
  /** The schemas that stand at the place; the others are applied by them. */
  readonly written: { readonly base: readonly JsonSchema[]; readonly head: readonly JsonSchema[] };
}

/** The alternatives of two sides. */
export interface PairedAlternatives {
  /** Those that are each other's; not empty. */
  readonly matched: readonly (readonly [Alternative, Alternative])[];
  /** Those of either side that are nobody's. */
  readonly alone: readonly Alternative[];
}

/** Null where it can't be told which alternatives are each other's. */
export function alternativePairs(
  { written }: PairedVisit,
  components: Components,
  headComponents: Components,
): PairedAlternatives | null {
  const [one, other] = [written.base, written.head];
  if (one.length !== 1 || other.length !== 1) return null;
  const [before, after] = [alternativesIn(one, components), alternativesIn(other, headComponents)];
  if (before === null || after === null) return null;
  const [first, second] = [before[0], after[0]];
  if (before.length === 1 && after.length === 1 && first !== undefined && second !== undefined) {
    return { matched: [[first, second]], alone: [] };
  }
  const matched = pairsByKey(before, after);
  const known = new Set(matched.flat());
  return matched.length > 0 ? { matched, alone: [...before, ...after].filter((one) => !known.has(one)) } : null;
}

/** Alternatives with one key: of several those that name the same members are each other's, then the others in their order. */
function pairsByKey(before: readonly Alternative[], after: readonly Alternative[]): PairedAlternatives["matched"] {
  const left = new Set(after);
  const found = new Map<Alternative, Alternative>();
  const pair = (isMatch: (one: Alternative, other: Alternative) => boolean): void => {
    for (const one of before) {
      if (found.has(one)) continue;
      const match = [...left].find((other) => other.key === one.key && isMatch(one, other));
      if (match === undefined) continue;
      found.set(one, match);
      left.delete(match);
    }
  };
  pair((one, other) => namesOf(one) === namesOf(other));
  pair(() => true);
  return before.flatMap((one) => {
    const match = found.get(one);
    return match === undefined ? [] : [[one, match] as const];
  });
}

const namesOf = ({ schemas }: Alternative): string =>
  JSON.stringify([...new Set(schemas.flatMap((schema) => [...schemaMapAt(schema, "properties").keys()]))].sort());

/** More alternatives are not told apart. */
const mostAlternatives = 200;

/** The alternatives of the objects that a schema admits; null where there are too many, or a reference leads nowhere. */
function alternativesIn(schemas: readonly JsonSchema[], components: Components): readonly Alternative[] | null {
  try {
    return schemas
      .map((schema) => expanded(schema, components, []))
      .reduce((some, others) => combined(some, others), [none]);
  } catch (error) {
    // A broken reference is told where schemas are compared.
    if (error instanceof TooMany || error instanceof UnresolvedReference) return null;
    throw error;
  }
}

const none: Alternative = { key: "", schemas: [], sure: [] };

class TooMany extends Error {
  override readonly name = "TooMany";
}

function expanded(schema: JsonSchema, components: Components, entered: readonly string[]): readonly Alternative[] {
  const reference = stringAt(schema, "$ref");
  const inside = reference === undefined ? entered : [...entered, reference];
  const within = (inner: JsonSchema): readonly Alternative[] => expanded(inner, components, inside);
  const always = [
    ...(reference === undefined || entered.includes(reference) ? [] : [resolveReference(reference, components)]),
    ...schemasAt(schema, "allOf"),
  ];
  const conditional = [
    ...["if", "then", "else"].map((keyword) => schemaAt(schema, keyword)).filter((one) => one !== undefined),
    ...schemaMapAt(schema, "dependentSchemas").values(),
  ];
  const unions = ["anyOf", "oneOf"].map((keyword) =>
    schemasAt(schema, keyword).flatMap((branch, index) => {
      if (!mayBeObject(branch, components)) return [];
      const key = keyOf(branch, index);
      return within(branch).map((one) => ({ ...one, key: `${key}${one.key}` }));
    }),
  );
  return [
    ...always.map(within),
    ...conditional.map((one) => within(one).map((each) => ({ ...each, sure: [] }))),
    ...unions.filter((union) => union.length > 0),
  ].reduce((some, others) => combined(some, others), [{ key: "", schemas: [schema], sure: [schema] }]);
}

function combined(some: readonly Alternative[], others: readonly Alternative[]): readonly Alternative[] {
  if (some.length * others.length > mostAlternatives) throw new TooMany();
  return some.flatMap((one) =>
    others.map((other) => ({
      key: `${one.key}${other.key}`,
      schemas: [...one.schemas, ...other.schemas],
      sure: [...one.sure, ...other.sure],
    })),
  );
}

/** False where an alternative tells by its face that it is no object, as `null` beside a component. */
function mayBeObject(schema: JsonSchema, components: Components): boolean {
  const reference = stringAt(schema, "$ref");
  const target = reference === undefined ? schema : resolveReference(reference, components);
  return target.enum === undefined && typesOf(target).includes("object");
}

function keyOf(branch: JsonSchema, index: number): string {
  const reference = stringAt(branch, "$ref");
  if (reference !== undefined) return `/${parseReference(reference).component}`;
  for (const [name, member] of schemaMapAt(branch, "properties")) {
    const values = enumerated(member);
    if (values?.length === 1) return `/${name}=${JSON.stringify(values[0])}`;
  }
  return `/${index}`;
}
