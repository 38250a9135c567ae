import fc from "fast-check";
import { arbitraryOf } from "./arbitrary.ts";
import { NoValueFound, satisfying } from "./bounded-filter.ts";
import { type Constraint, constraintsOf } from "./constraints.ts";
import type { Json, JsonSchema } from "./json-schema.ts";
import { matcherOf } from "./pattern-match.ts";
import { type Place, placesIn, type Step } from "./places.ts";
import type { Components } from "./resolve-reference.ts";
import { isList, isObject } from "./schema-node.ts";
import { escapeToken, validatorFor } from "./validator.ts";

/** One constraint of a schema that a value can break while it keeps all others. */
export interface Breach {
  /** Unique in its schema and stable while the schema is. */
  readonly id: string;
  /** JSON Pointer to the value that is wrong, missing or not wanted; `*` is any item, or any undeclared member. */
  readonly pointer: string;
  readonly keyword: string;
  /** A phrase about a value that breaks it: "/scopes has fewer than 1 items". */
  readonly describe: string;
  readonly recipe: BreachRecipe;
}

/** How values are made that break one constraint: a valid whole in which a broken part takes the place of a sound one. */
export interface BreachRecipe {
  readonly schema: JsonSchema;
  readonly components: Components;
  /** Satisfied by valid values that have something at the place of the breach. */
  readonly whole: JsonSchema;
  readonly path: readonly Step[];
  readonly broken: JsonSchema;
  /** The whole schema without the constraint. */
  readonly relaxed: JsonSchema;
}

/**
 * Every constraint of a schema that can be broken alone, in the order of the schema. One that cannot (a `minLength`
 * that the pattern implies) is not listed, nor is one inside `not`, `contains`, `if` or `dependentSchemas`.
 * A schema that contains itself is entered once.
 */
export function breaches(schema: JsonSchema, components: Components): readonly Breach[] {
  const found = [...placesIn(schema, components)].flatMap((place) => {
    const whole = place.whole(place.schema);
    return constraintsOf(place.schema)
      .filter(({ keyword }) => keyword !== "type" || !place.isAlternative)
      .map((constraint) => breachOf(place, constraint, whole, schema, components));
  });
  return found.filter((breach) => made(breach) !== null);
}

/**
 * Values that are valid but for the one constraint: the schema refuses each of them, and would accept it without that
 * constraint. This holds for shrunk values too. Of alternatives that the way to the constraint passes through
 * (`anyOf`), it holds for the one that the breach names.
 */
export function arbitraryBreaching(breach: Breach): fc.Arbitrary<Json> {
  const arbitrary = made(breach);
  if (arbitrary === null) throw new NoValueFound(`No value breaks only this: ${breach.describe}`);
  return arbitrary;
}

function breachOf(
  place: Place,
  constraint: Constraint,
  whole: JsonSchema,
  schema: JsonSchema,
  components: Components,
): Breach {
  const { keyword, variant, member, describe } = constraint;
  const pointer = member === null ? place.pointer : `${place.pointer}/${escapeToken(member)}`;
  return {
    id: `${place.id}:${keyword}${variant === null ? "" : `=${variant}`}`,
    pointer,
    keyword,
    describe: `${pointer === "" ? "the value" : pointer} ${describe}`,
    recipe: {
      schema,
      components,
      whole,
      path: place.path,
      broken: place.here(constraint.broken),
      relaxed: place.whole(constraint.relaxed),
    },
  };
}

const madeOf = new WeakMap<Breach, fc.Arbitrary<Json> | null>();

function made(breach: Breach): fc.Arbitrary<Json> | null {
  const existing = madeOf.get(breach);
  if (existing !== undefined) return existing;
  const arbitrary = make(breach);
  madeOf.set(breach, arbitrary);
  return arbitrary;
}

function make({ recipe, describe }: Breach): fc.Arbitrary<Json> | null {
  const { schema, components, path } = recipe;
  const wholes = path.length === 0 ? null : wholesOf(recipe);
  const parts = path.length > 0 && wholes === null ? null : orNull(() => arbitraryOf(recipe.broken, components));
  if (parts === null) return null;
  const values = wholes === null ? parts : planted(wholes, parts, path);
  const validator = validatorFor(components);
  const [valid, validBut] = [validator.accepts(schema), validator.accepts(recipe.relaxed)];
  return satisfying(
    values,
    (value) => !valid(value) && validBut(value),
    () => describe,
  );
}

const knownWholes = new WeakMap<JsonSchema, fc.Arbitrary<Json> | null>();

/** Breaches at one place share the schema of their wholes, by identity. */
function wholesOf({ whole, components }: BreachRecipe): fc.Arbitrary<Json> | null {
  const existing = knownWholes.get(whole);
  if (existing !== undefined) return existing;
  const wholes = orNull(() => arbitraryOf(whole, components));
  knownWholes.set(whole, wholes);
  return wholes;
}

function orNull<T>(make: () => T): T | null {
  try {
    return make();
  } catch (error) {
    if (error instanceof NoValueFound) return null;
    throw error;
  }
}

/** Wholes with one part replaced at a place that the path leads to, any of them where it leads to several. */
function planted(wholes: fc.Arbitrary<Json>, parts: fc.Arbitrary<Json>, path: readonly Step[]): fc.Arbitrary<Json> {
  const picks = fc.array(fc.nat(), { minLength: path.length, maxLength: path.length });
  return fc.tuple(wholes, parts, picks).map(([whole, part, numbers]) => plant(whole, part, path, numbers));
}

/** The whole as it is when the path leads nowhere in it. */
function plant(
  whole: Json,
  part: Json,
  [step, ...path]: readonly Step[],
  [pick = 0, ...picks]: readonly number[],
): Json {
  if (step === undefined) return part;
  if (isList(whole)) {
    const indexes = whole.flatMap((_, index) => (leadsToItem(step, index) ? [index] : []));
    const chosen = indexes[pick % indexes.length];
    return whole.map((item, index) => (index === chosen ? plant(item, part, path, picks) : item));
  }
  if (!isObject(whole)) return whole;
  const names = Object.keys(whole).filter((name) => leadsToMember(step, name));
  const chosen = names[pick % names.length];
  const members = Object.entries(whole).map(([name, member]): [string, Json] =>
    name === chosen ? [name, plant(member, part, path, picks)] : [name, member],
  );
  return Object.fromEntries(members);
}

function leadsToItem(step: Step, index: number): boolean {
  return (step.kind === "item" && step.index === index) || (step.kind === "items" && index >= step.from);
}

function leadsToMember(step: Step, name: string): boolean {
  if (step.kind === "member") return step.name === name;
  return (
    step.kind === "members" &&
    !step.except.includes(name) &&
    (step.pattern === null || matcherOf(step.pattern).test(name))
  );
}
