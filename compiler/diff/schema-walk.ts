import type { JsonSchema } from "../contract.ts";
import { type Components, parseReference, resolveReference } from "../schema/resolve-reference.ts";
import { schemaAt, schemaMapAt, schemasAt, stringAt } from "../schema/schema-node.ts";
import { escapeToken } from "../schema/validator.ts";

/** One schema that speaks about the values at a pointer; `*` stands for any item or undeclared member. */
export interface Visit {
  readonly pointer: string;
  readonly schema: JsonSchema;
  /** Names that rules may be about: components entered here, and `Component.member`. */
  readonly names: readonly string[];
  /** The components on the way, each with the pointer at which it was entered. */
  readonly entries: readonly Entry[];
}

/** A component on the way to a place of the values. */
export interface Entry {
  readonly component: string;
  readonly pointer: string;
}

/** Schemas visited at most: a bound on documents that unfold without end. */
const maxVisits = 20_000;

/** References followed on one way; a ring of more components is left where it stands. */
const maxReferences = 50;

/** Every schema below one, through references; what contains itself is entered once on each way. */
function* walkSchema(
  schema: JsonSchema,
  components: Components,
  isOnTheWay: (pointer: string) => boolean,
): Generator<Visit> {
  let visits = 0;
  function* visit(
    at: JsonSchema,
    pointer: string,
    names: readonly string[],
    owner: string | null,
    entered: readonly string[],
    entries: readonly Entry[],
  ): Generator<Visit> {
    if (!isOnTheWay(pointer)) return;
    visits += 1;
    if (visits > maxVisits) return;
    yield { pointer, schema: at, names, entries };
    const reference = stringAt(at, "$ref");
    if (reference !== undefined && entered.length < maxReferences && !entered.includes(reference)) {
      const target = targetOf(reference, components);
      if (target !== null) {
        const inside = [...entries, { component: target.name, pointer }];
        yield* visit(target.schema, pointer, [...names, target.name], target.name, [...entered, reference], inside);
      }
    }
    const member = (name: string, inner: JsonSchema): Generator<Visit> =>
      visit(
        inner,
        `${pointer}/${escapeToken(name)}`,
        owner === null ? [] : [`${owner}.${name}`],
        null,
        entered,
        entries,
      );
    for (const [name, inner] of schemaMapAt(at, "properties")) yield* member(name, inner);
    for (const keyword of ["allOf", "anyOf", "oneOf"]) {
      for (const inner of schemasAt(at, keyword)) yield* visit(inner, pointer, names, owner, entered, entries);
    }
    for (const keyword of ["if", "then", "else"]) {
      const inner = schemaAt(at, keyword);
      if (inner !== undefined) yield* visit(inner, pointer, names, owner, entered, entries);
    }
    for (const [index, inner] of schemasAt(at, "prefixItems").entries()) {
      yield* visit(inner, `${pointer}/${index}`, [], null, entered, entries);
    }
    for (const keyword of ["items", "additionalProperties", "unevaluatedItems", "unevaluatedProperties"]) {
      const inner = schemaAt(at, keyword);
      if (inner !== undefined) yield* visit(inner, `${pointer}/*`, [], null, entered, entries);
    }
    for (const inner of schemaMapAt(at, "patternProperties").values()) {
      yield* visit(inner, `${pointer}/*`, [], null, entered, entries);
    }
    for (const inner of schemaMapAt(at, "dependentSchemas").values()) {
      yield* visit(inner, pointer, names, owner, entered, entries);
    }
  }
  yield* visit(schema, "", [], null, [], []);
}

/** What a reference leads to; null where it leads nowhere. */
export function targetOf(
  reference: string,
  components: Components,
): { readonly name: string; readonly schema: JsonSchema } | null {
  try {
    return { name: parseReference(reference).component, schema: resolveReference(reference, components) };
  } catch {
    // A broken reference is told where schemas are compared.
    return null;
  }
}

/** Names that rules may be about, of what stands at the pointer into a value, and of the members on the way. */
export function namesAt(schema: JsonSchema, components: Components, pointer: string): readonly string[] {
  const found: string[] = [];
  const isOnTheWay = (at: string): boolean => isPrefix(at, pointer) !== null;
  for (const visit of walkSchema(schema, components, isOnTheWay)) {
    const matches = isPrefix(visit.pointer, pointer);
    if (matches === "whole") found.push(...visit.names);
    if (matches === "part") found.push(...visit.names.filter((name) => name.includes(".")));
  }
  return [...new Set(found)];
}

/** Every schema of one side that speaks about a place of its values; `*` is any item or undeclared member. */
export const schemasAtPlace = (schema: JsonSchema, components: Components, place: string): readonly JsonSchema[] =>
  [...walkSchema(schema, components, (at) => isPrefix(at, place) !== null)]
    .filter((visit) => isPrefix(visit.pointer, place) === "whole")
    .map((visit) => visit.schema);

/** The components on the way to a place of one side's values, each with where it was entered; the outer first. */
export function entriesTo(schema: JsonSchema, components: Components, place: string): readonly Entry[] {
  const found = new Map<string, Entry>();
  for (const { entries } of walkSchema(schema, components, (at) => isPrefix(at, place) !== null)) {
    for (const entry of entries) found.set(`${entry.pointer} ${entry.component}`, entry);
  }
  return [...found.values()].toSorted((one, other) => one.pointer.length - other.pointer.length);
}

function isPrefix(pattern: string, pointer: string): "whole" | "part" | null {
  const wanted = pattern.split("/");
  const tokens = pointer.split("/");
  if (wanted.length > tokens.length || wanted.some((token, index) => token !== "*" && token !== tokens[index])) {
    return null;
  }
  return wanted.length === tokens.length ? "whole" : "part";
}
