import { flatten } from "./flatten.ts";
import type { Json, JsonSchema } from "./json-schema.ts";
import { type Components, parseReference, recursiveComponents } from "./resolve-reference.ts";
import {
  isAnything,
  isNothing,
  numberAt,
  schemaAt,
  schemaMapAt,
  schemasAt,
  stringsAt,
  typesOf,
  without,
} from "./schema-node.ts";
import { escapeToken } from "./validator.ts";

/** One step from a value to a part of it. */
export type Step =
  | { readonly kind: "member"; readonly name: string }
  /** Members that the schema does not declare; those whose name matches, where there is a pattern. */
  | { readonly kind: "members"; readonly except: readonly string[]; readonly pattern: string | null }
  | { readonly kind: "item"; readonly index: number }
  | { readonly kind: "items"; readonly from: number };

/** A place in the values of a schema, with the flat schema that speaks about it there. */
export interface Place {
  readonly schema: JsonSchema;
  /** JSON Pointer to the place; `*` is any item, or any undeclared member. */
  readonly pointer: string;
  /** The pointer as a URI fragment, with the alternatives that were chosen on the way. */
  readonly id: string;
  readonly path: readonly Step[];
  /** One of the alternatives of a union: a value of another type is a breach of the union. */
  readonly isAlternative: boolean;
  /** Everything that is said about the place, when `schema` is replaced by another. */
  readonly here: (schema: JsonSchema) => JsonSchema;
  /** The whole schema, when `schema` is replaced by another; its values have something at the place. */
  readonly whole: (schema: JsonSchema) => JsonSchema;
}

interface Visited extends Place {
  /** Recursive components that were entered on the way. */
  readonly entered: readonly string[];
}

/**
 * All places of a schema's values, from the whole inwards: declared members, items, undeclared members, and each
 * alternative of a union as a place of its own. Recursive components are entered once on each way.
 */
export function* placesIn(schema: JsonSchema, components: Components): Generator<Place> {
  const recursive = recursiveComponents(components);
  function* visit(from: Omit<Visited, "schema">, unresolved: JsonSchema): Generator<Place> {
    const { schema: flat, references } = flatten(unresolved, components);
    const met = references
      .map((reference) => parseReference(reference).component)
      .filter((name) => recursive.has(name));
    if (isNothing(flat) || met.some((name) => from.entered.includes(name))) return;
    const place: Visited = { ...from, schema: flat, entered: [...from.entered, ...met] };
    yield place;
    for (const [inner, innerSchema] of [...alternativesOf(place), ...membersOf(place), ...itemsOf(place)]) {
      yield* visit(inner, innerSchema);
    }
  }
  const same = (replaced: JsonSchema): JsonSchema => replaced;
  yield* visit({ pointer: "", id: "#", path: [], isAlternative: false, here: same, whole: same, entered: [] }, schema);
}

type Inner = readonly [place: Omit<Visited, "schema">, unresolved: JsonSchema];

/** Schemas about the same value: branches of a union, and what `allOf` could not merge. */
function alternativesOf(place: Visited): readonly Inner[] {
  return ["anyOf", "oneOf", "allOf"].flatMap((keyword) => {
    const branches = schemasAt(place.schema, keyword);
    const rest = without(place.schema, keyword);
    return branches.map((branch, index): Inner => {
      const others = keyword === "allOf" ? branches.toSpliced(index, 1) : schemasAt(rest, "allOf");
      const here = (replaced: JsonSchema): JsonSchema => place.here({ ...rest, allOf: [...others, replaced] });
      const whole = (replaced: JsonSchema): JsonSchema => place.whole({ ...rest, allOf: [...others, replaced] });
      const isAlternative = place.isAlternative || keyword !== "allOf";
      return [{ ...place, id: `${place.id}(${keyword} ${index + 1})`, isAlternative, here, whole }, branch];
    });
  });
}

/** The place one step further in; `around` says how its schema stands in the one of the value around it. */
function inward(
  place: Visited,
  step: Step,
  token: string,
  around: (replaced: JsonSchema) => JsonSchema,
): Omit<Visited, "schema"> {
  return {
    ...place,
    pointer: `${place.pointer}/${token}`,
    id: `${place.id}/${token}`,
    path: [...place.path, step],
    isAlternative: false,
    here: (replaced) => replaced,
    whole: (replaced) => place.whole(around(replaced)),
  };
}

function membersOf(place: Visited): readonly Inner[] {
  const { schema } = place;
  if (!typesOf(schema).includes("object")) return [];
  const declared = schemaMapAt(schema, "properties");
  const members = [...declared].map(([name, member]): Inner => {
    const around = (replaced: JsonSchema): JsonSchema => ({
      ...schema,
      type: "object",
      required: [...new Set([...stringsAt(schema, "required"), name])],
      properties: { ...objectAt(schema, "properties"), [name]: replaced },
    });
    return [inward(place, { kind: "member", name }, escapeToken(name), around), member];
  });
  const except = [...declared.keys()];
  const peopled = {
    ...schema,
    type: "object",
    minProperties: Math.max(numberAt(schema, "minProperties") ?? 0, except.length + 1),
  };
  const others = ["additionalProperties", "unevaluatedProperties"].flatMap((keyword): readonly Inner[] => {
    const member = schemaAt(schema, keyword);
    if (member === undefined || isAnything(member)) return [];
    const around = (replaced: JsonSchema): JsonSchema => ({ ...peopled, [keyword]: replaced });
    return [[inward(place, { kind: "members", except, pattern: null }, "*", around), member]];
  });
  const patterned = [...schemaMapAt(schema, "patternProperties")].map(([pattern, member]): Inner => {
    const around = (replaced: JsonSchema): JsonSchema => ({
      ...peopled,
      patternProperties: { ...objectAt(schema, "patternProperties"), [pattern]: replaced },
    });
    const inner = inward(place, { kind: "members", except, pattern }, "*", around);
    return [{ ...inner, id: `${inner.id}(${pattern})` }, member];
  });
  return [...members, ...others, ...patterned];
}

function itemsOf(place: Visited): readonly Inner[] {
  const { schema } = place;
  if (!typesOf(schema).includes("array")) return [];
  const prefix = schemasAt(schema, "prefixItems");
  const atLeast = (count: number): JsonSchema => ({
    ...schema,
    type: "array",
    minItems: Math.max(numberAt(schema, "minItems") ?? 0, count),
  });
  const first = prefix.map((item, index): Inner => {
    const around = (replaced: JsonSchema): JsonSchema => ({
      ...atLeast(index + 1),
      prefixItems: prefix.toSpliced(index, 1, replaced),
    });
    return [inward(place, { kind: "item", index }, String(index), around), item];
  });
  const rest = ["items", "unevaluatedItems"].flatMap((keyword): readonly Inner[] => {
    const item = schemaAt(schema, keyword);
    if (item === undefined || isAnything(item)) return [];
    const around = (replaced: JsonSchema): JsonSchema => ({ ...atLeast(prefix.length + 1), [keyword]: replaced });
    return [[inward(place, { kind: "items", from: prefix.length }, "*", around), item]];
  });
  return [...first, ...rest];
}

function objectAt(schema: JsonSchema, keyword: string): { readonly [name: string]: Json } {
  return Object.fromEntries(schemaMapAt(schema, keyword));
}
