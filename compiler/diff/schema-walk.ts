import type { JsonSchema } from "../contract.ts";
import { canonicalJson, sameJson } from "../schema/canonical-json.ts";
import { type Components, parseReference, resolveReference } from "../schema/resolve-reference.ts";
import { schemaAt, schemaMapAt, schemasAt, stringAt } from "../schema/schema-node.ts";
import { escapeToken } from "../schema/validator.ts";
import type { Meant } from "./meant.ts";
import { leansOnly, unchangedComponents } from "./same-schema.ts";

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

function targetOf(
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

/** What two schemas say about one place of their values. */
export interface PairedVisit {
  readonly pointer: string;
  /** Every schema of the side that speaks about the place; not empty. */
  readonly base: readonly JsonSchema[];
  readonly head: readonly JsonSchema[];
  /** The schemas that stand at the place; the others are applied by them. */
  readonly written: { readonly base: readonly JsonSchema[]; readonly head: readonly JsonSchema[] };
}

/** A place on the way, with the two sides' texts. */
interface Step extends Omit<PairedVisit, "written"> {
  readonly key: string;
}

/**
 * What is found at the places that both schemas speak about, the outer before the inner, in the order of their names.
 * What two components say inside of a place is looked at once, where it is met first: so the search ends, and soon,
 * however often components are used and whatever they contain. Pairs of components in which nothing was found are
 * remembered, for each `topic`.
 */
export function findInPairs<T>(
  base: Meant,
  head: Meant,
  topic: string,
  look: (visit: PairedVisit) => readonly T[],
): readonly T[] {
  const unchanged = unchangedComponents(base.components, head.components);
  const without = pairsWithout(base.components, head.components, topic);
  const seen = new Set<string>();
  const found: T[] = [];
  const pending = [stepTo("", [base.schema], [head.schema])];
  // A list that grows while it is walked is walked to its new end.
  for (const step of pending) {
    const { key, base: before, head: after } = step;
    const isOfComponents = [...before, ...after].every(isReference);
    if (isOfComponents && (seen.has(key) || without.has(key))) continue;
    if (sameJson([...before], [...after]) && before.every((schema) => leansOnly(schema, unchanged))) continue;
    const spoken = { base: speakers(before, base.components), head: speakers(after, head.components) };
    const here = look({ pointer: step.pointer, ...spoken, written: { base: before, head: after } });
    found.push(...here);
    if (seen.has(key)) continue;
    seen.add(key);
    const [members, otherMembers] = [partsOf(spoken.base), partsOf(spoken.head)];
    for (const token of [...members.keys()].sort()) {
      const [inner, otherInner] = [members.get(token), otherMembers.get(token)];
      if (inner === undefined || otherInner === undefined) continue;
      pending.push(stepTo(`${step.pointer}/${token}`, inner, otherInner));
    }
  }
  // What is skipped on one way may be blamed on another, so nothing is remembered of a search that found something.
  if (found.length > 0) return found;
  for (const { key, base: before, head: after } of pending) {
    if ([...before, ...after].every(isReference)) without.add(key);
  }
  return found;
}

const stepTo = (pointer: string, base: readonly JsonSchema[], head: readonly JsonSchema[]): Step => ({
  pointer,
  base,
  head,
  key: `${canonicalJson([...base])} ${canonicalJson([...head])}`,
});

const isReference = (schema: JsonSchema): boolean => schema.$ref !== undefined && Object.keys(schema).length === 1;

const known = new WeakMap<Components, WeakMap<Components, Map<string, Set<string>>>>();

function pairsWithout(base: Components, head: Components, topic: string): Set<string> {
  const ofBase = known.get(base) ?? new WeakMap<Components, Map<string, Set<string>>>();
  known.set(base, ofBase);
  const ofBoth = ofBase.get(head) ?? new Map<string, Set<string>>();
  ofBase.set(head, ofBoth);
  const found = ofBoth.get(topic) ?? new Set<string>();
  ofBoth.set(topic, found);
  return found;
}

/** The schemas, and all that they apply to the same value in turn. */
function speakers(schemas: readonly JsonSchema[], components: Components): readonly JsonSchema[] {
  const entered = new Set<string>();
  const found: JsonSchema[] = [...schemas];
  for (const at of found) {
    const reference = stringAt(at, "$ref");
    if (reference !== undefined && !entered.has(reference)) {
      entered.add(reference);
      const target = targetOf(reference, components);
      if (target !== null) found.push(target.schema);
    }
    for (const keyword of ["allOf", "anyOf", "oneOf"]) found.push(...schemasAt(at, keyword));
    for (const keyword of ["if", "then", "else"])
      found.push(...[schemaAt(at, keyword)].filter((one) => one !== undefined));
    found.push(...schemaMapAt(at, "dependentSchemas").values());
  }
  return found;
}

/** The schemas about each part of a value, by the token that leads to it. */
function partsOf(speaking: readonly JsonSchema[]): ReadonlyMap<string, readonly JsonSchema[]> {
  const found = new Map<string, JsonSchema[]>();
  const add = (token: string, schema: JsonSchema): void => {
    const known = found.get(token);
    if (known === undefined) found.set(token, [schema]);
    else known.push(schema);
  };
  for (const at of speaking) {
    for (const [name, member] of schemaMapAt(at, "properties")) add(escapeToken(name), member);
    for (const [index, item] of schemasAt(at, "prefixItems").entries()) add(String(index), item);
    for (const member of schemaMapAt(at, "patternProperties").values()) add("*", member);
    for (const keyword of ["items", "additionalProperties", "unevaluatedItems", "unevaluatedProperties"]) {
      const inner = schemaAt(at, keyword);
      if (inner !== undefined) add("*", inner);
    }
  }
  return found;
}
