import type { JsonSchema } from "../contract.ts";
import { isAnnotation } from "../schema/keywords.ts";
import { type Components, parseReference, referencesIn } from "../schema/resolve-reference.ts";
import { isObject, schemaAt, schemaMapAt, schemasAt, stringAt } from "../schema/schema-node.ts";
import { escapeToken } from "../schema/validator.ts";
import type { Meant } from "./meant.ts";
import { unchangedComponents } from "./same-schema.ts";
import { targetOf, writtenAtPlace } from "./schema-walk.ts";

/** Component names of the child schemas of a parent, by the value of the discriminator that selects each. */
export type Children = ReadonlyMap<string, string>;

const known = new WeakMap<Components, ReadonlyMap<string, Children>>();

/**
 * Returns the child schemas of every parent: a component with a discriminator and no union, which other components include
 * by `allOf`. OpenAPI: a payload of the parent is one of the child schema that the discriminator's value selects.
 */
function childrenByParent(components: Components): ReadonlyMap<string, Children> {
  const existing = known.get(components);
  if (existing !== undefined) return existing;
  const heirs = new Map<string, string[]>();
  for (const [name, schema] of Object.entries(components)) {
    for (const part of schemasAt(schema, "allOf")) {
      const parent = nameOf(stringAt(part, "$ref"));
      if (parent !== null) heirs.set(parent, [...(heirs.get(parent) ?? []), name]);
    }
  }
  const made = new Map<string, Children>();
  for (const [name, schema] of Object.entries(components)) {
    const { discriminator } = schema;
    if (!isObject(discriminator) || schema.oneOf !== undefined || schema.anyOf !== undefined) continue;
    const descendants = new Set<string>([name]);
    // A set that grows while it is walked is walked to its new end.
    for (const at of descendants) for (const heir of heirs.get(at) ?? []) descendants.add(heir);
    descendants.delete(name);
    const mapping = Object.entries(isObject(discriminator.mapping) ? discriminator.mapping : {}).map(
      ([value, target]) => [value, shortName(String(target))] as const,
    );
    const children = [...descendants].flatMap((child): readonly (readonly [string, string])[] => {
      const mapped = mapping.filter(([, target]) => target === child);
      return mapped.length > 0 ? mapped : [[child, child]];
    });
    if (children.length > 0) made.set(name, new Map(children));
  }
  known.set(components, made);
  return made;
}

const shortName = (reference: string): string =>
  reference.slice(reference.lastIndexOf("/") + 1).replace(/\.(?:ya?ml|json)$/, "");

/** The component that a reference names; null where it names none. */
function nameOf(reference: string | undefined): string | null {
  if (reference === undefined) return null;
  try {
    const { component, path } = parseReference(reference);
    return path.length === 0 ? component : null;
  } catch {
    return null;
  }
}

/** A value of a parent's place that is of a child schema; a side that has no such child has null. */
export interface InheritedPair {
  /** Where the parent stands in values. */
  readonly place: string;
  readonly parent: string;
  readonly value: string;
  readonly base: Meant | null;
  readonly head: Meant | null;
}

/**
 * Returns the child schemas at every place where both sides refer to the same parent, if the children differ. `own` are
 * the components as they stand in the documents; each parent counts at the first place that refers to it.
 */
export function inheritedPairs(
  base: Meant,
  head: Meant,
  own: { readonly base: Components; readonly head: Components },
): readonly InheritedPair[] {
  const [before, after] = [childrenByParent(own.base), childrenByParent(own.head)];
  if (before.size === 0 || after.size === 0) return [];
  const changed = changedParents(base.components, head.components, before, after);
  if (changed.size === 0) return [];
  return placesOf(base, changed).flatMap(({ place, parent }) => {
    const isSame = writtenAtPlace(head.schema, head.components, place).some((schema) =>
      parentIn(schema, head.components, changed).includes(parent),
    );
    if (!isSame) return [];
    const [old, now] = [before.get(parent), after.get(parent)];
    const values = new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])]);
    return [...values].map((value) => ({
      place,
      parent,
      value,
      base: meantOf(old?.get(value), base.components),
      head: meantOf(now?.get(value), head.components),
    }));
  });
}

const meantOf = (child: string | undefined, components: Components): Meant | null =>
  child === undefined ? null : { schema: { $ref: `#/components/schemas/${escapeToken(child)}` }, components };

const changedKnown = new WeakMap<Components, WeakMap<Components, ReadonlySet<string>>>();

/** Parents on both sides whose children differ, in their values or in what they say. */
function changedParents(
  base: Components,
  head: Components,
  before: ReadonlyMap<string, Children>,
  after: ReadonlyMap<string, Children>,
): ReadonlySet<string> {
  const ofBase = changedKnown.get(base) ?? new WeakMap<Components, ReadonlySet<string>>();
  changedKnown.set(base, ofBase);
  const existing = ofBase.get(head);
  if (existing !== undefined) return existing;
  const unchanged = unchangedComponents(base, head);
  const isAlike = (one: Children, other: Children): boolean =>
    one.size === other.size && [...one].every(([value, child]) => other.get(value) === child && unchanged.has(child));
  const made = new Set(
    [...before].flatMap(([parent, children]) => {
      const others = after.get(parent);
      return others === undefined || isAlike(children, others) ? [] : [parent];
    }),
  );
  ofBase.set(head, made);
  return made;
}

/** Names of parents that a schema stands for: by a reference, as an alternative, or as the only part of an `allOf`. */
function parentIn(schema: JsonSchema, components: Components, parents: ReadonlySet<string>): readonly string[] {
  const found = new Set<string>();
  const pending = [schema];
  const entered = new Set<string>();
  // A list that grows while it is walked is walked to its new end.
  for (const at of pending) {
    const reference = stringAt(at, "$ref");
    const name = nameOf(reference);
    if (name !== null && parents.has(name)) {
      found.add(name);
      continue;
    }
    if (reference !== undefined && !entered.has(reference)) {
      entered.add(reference);
      const target = targetOf(reference, components);
      if (target !== null) pending.push(target.schema);
    }
    const parts = schemasAt(at, "allOf");
    const isWrapper =
      parts.length === 1 && Object.keys(at).every((keyword) => keyword === "allOf" || isAnnotation(keyword));
    // A component that adds to its parent is a child, and so no place of the parent.
    pending.push(...(isWrapper && name === null ? parts : []), ...schemasAt(at, "anyOf"), ...schemasAt(at, "oneOf"));
  }
  return [...found];
}

interface Place {
  readonly place: string;
  readonly parent: string;
}

/** The first place of each parent in the values of a schema, the outer before the inner. */
function placesOf({ schema, components }: Meant, parents: ReadonlySet<string>): readonly Place[] {
  const leading = componentsLeadingTo(components, parents);
  const found = new Map<string, Place>();
  const entered = new Set<string>();
  const pending = [{ schema, place: "" }];
  // A list that grows while it is walked is walked to its new end.
  for (const { schema: at, place } of pending) {
    for (const parent of parentIn(at, components, parents))
      if (!found.has(parent)) found.set(parent, { place, parent });
    for (const inner of appliedBy(at, components, leading, entered)) {
      for (const [name, member] of schemaMapAt(inner, "properties")) {
        pending.push({ schema: member, place: `${place}/${escapeToken(name)}` });
      }
      for (const keyword of ["items", "additionalProperties"]) {
        const item = schemaAt(inner, keyword);
        if (item !== undefined) pending.push({ schema: item, place: `${place}/*` });
      }
    }
  }
  return [...found.values()];
}

/** The schema and all that it applies to the same value; a component is entered once. */
function appliedBy(
  schema: JsonSchema,
  components: Components,
  leading: ReadonlySet<string>,
  entered: Set<string>,
): readonly JsonSchema[] {
  const all = [schema];
  // A list that grows while it is walked is walked to its new end.
  for (const at of all) {
    const target = targetOf(stringAt(at, "$ref"), components);
    if (target !== null && leading.has(target.name) && !entered.has(target.name)) {
      entered.add(target.name);
      all.push(target.schema);
    }
    for (const keyword of ["allOf", "anyOf", "oneOf"]) all.push(...schemasAt(at, keyword));
  }
  return all;
}

const leadingKnown = new WeakMap<ReadonlySet<string>, ReadonlySet<string>>();

/** Components from which references lead to some parent; with the parents themselves. */
function componentsLeadingTo(components: Components, parents: ReadonlySet<string>): ReadonlySet<string> {
  const existing = leadingKnown.get(parents);
  if (existing !== undefined) return existing;
  const users = new Map<string, string[]>();
  for (const [name, schema] of Object.entries(components)) {
    for (const reference of referencesIn(schema)) {
      const used = nameOf(reference);
      if (used !== null) users.set(used, [...(users.get(used) ?? []), name]);
    }
  }
  const leading = new Set(parents);
  // A set that grows while it is walked is walked to its new end.
  for (const at of leading) for (const user of users.get(at) ?? []) leading.add(user);
  leadingKnown.set(parents, leading);
  return leading;
}
