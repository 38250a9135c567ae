import { flatten } from "../flatten.ts";
import type { Interning } from "../interning.ts";
import { closedPlainly } from "../intersect.ts";
import type { Json, JsonSchema } from "../json-schema.ts";
import type { Components } from "../resolve-reference.ts";
import {
  enumerated,
  isAnything,
  isNothing,
  isObject,
  type JsonType,
  jsonTypes,
  schemaAt,
  schemaMapAt,
  schemasAt,
  stringsAt,
  typesOf,
  withDefined,
  without,
} from "../schema-node.ts";
import { bareReference } from "./counterpart.ts";

/** The values of one type that a schema admits: what is compared with the other side. */
export interface Left {
  readonly type: JsonType;
  /** Admits exactly these values. */
  readonly schema: JsonSchema;
  /** The reference to the component that admits exactly these values; null where there is none. */
  readonly reference: JsonSchema | null;
  /** Schemas without `$ref` and `allOf` that all of these values satisfy; other values may satisfy them too. */
  readonly views: readonly JsonSchema[];
}

/** A schema's values as a list, where its face tells them, or type by type. */
export type LeftSide =
  | { readonly kind: "values"; readonly values: readonly Json[] }
  | { readonly kind: "types"; readonly lefts: readonly Left[] };

export function leftSide(schema: JsonSchema, components: Components): LeftSide {
  const { schema: flat } = flatten(schema, components);
  if (isNothing(flat)) return { kind: "values", values: [] };
  const views = withDependents(viewsOf(flat, components), components);
  if (views.some(isNothing)) return { kind: "values", values: [] };
  const values = views.map(enumerated).find((listed) => listed !== undefined);
  if (values !== undefined) return { kind: "values", values };
  const types = views
    .flatMap((view) => [typesOf(view), ...unionTypes(view, components)])
    .reduce<readonly JsonType[]>(sharedTypes, jsonTypes);
  if (types.every((type) => type === "null" || type === "boolean")) {
    return { kind: "values", values: types.flatMap((type) => finiteTypes.get(type) ?? []) };
  }
  const required = [...sureNames(views)];
  const speaking: JsonSchema = required.length > stringsAt(flat, "required").length ? { ...flat, required } : flat;
  const reference = types.length === 1 ? bareReference(schema) : null;
  return { kind: "types", lefts: types.map((type) => ({ type, schema: { ...speaking, type }, reference, views })) };
}

/** How a schema reads, type by type. */
export type SideOf = (schema: JsonSchema) => LeftSide;

/** How schemas read that lean on some components, each looked at once. */
export function sideReader(numbers: Interning, components: Components): SideOf {
  const known = new Map<number, LeftSide>();
  return (schema) => {
    const number = numbers.numberOf(schema);
    const made = known.get(number) ?? leftSide(schema, components);
    known.set(number, made);
    return made;
  };
}

/** The schemas that views have at a keyword. */
export const schemasUnder = (views: readonly JsonSchema[], keyword: string): readonly JsonSchema[] =>
  views.map((view) => schemaAt(view, keyword)).filter((schema) => schema !== undefined);

/** Types whose values can be listed. */
export const finiteTypes: ReadonlyMap<JsonType, readonly Json[]> = new Map([
  ["null", [null]],
  ["boolean", [false, true]],
]);

/** Names that every object of the views has, given some that it has. */
export function sureNames(views: readonly JsonSchema[], given: readonly string[] = []): ReadonlySet<string> {
  const sure = new Set([...given, ...views.flatMap((view) => stringsAt(view, "required"))]);
  // A set that grows while it is walked is walked to its new end.
  for (const name of sure) {
    for (const view of views) {
      const { dependentRequired } = view;
      if (isObject(dependentRequired)) for (const other of stringsAt(dependentRequired, name)) sure.add(other);
      const dependent = schemaMapAt(view, "dependentSchemas").get(name) ?? {};
      for (const other of stringsAt(dependent, "required")) sure.add(other);
    }
  }
  return sure;
}

function viewsOf(flat: JsonSchema, components: Components): readonly JsonSchema[] {
  // What is unevaluated depends on applicators: without the keyword the view admits more, never less.
  const open = closedPlainly(flat) ?? without(flat, "unevaluatedProperties", "unevaluatedItems");
  const parts = schemasAt(open, "allOf").flatMap((part) => viewsOf(flatten(part, components).schema, components));
  return [without(open, "allOf"), ...parts];
}

/** The views, with what they ask for on account of members that are sure to be there. */
function withDependents(views: readonly JsonSchema[], components: Components): readonly JsonSchema[] {
  if (views.every((view) => view.dependentSchemas === undefined)) return views;
  const found = [...views];
  const entered = new Set<JsonSchema>();
  // A list that grows while it is walked is walked to its new end.
  for (const view of found) {
    const sure = sureNames(found);
    for (const [name, dependent] of schemaMapAt(view, "dependentSchemas")) {
      if (!sure.has(name) || entered.has(dependent)) continue;
      entered.add(dependent);
      found.push(...viewsOf(flatten(dependent, components).schema, components));
    }
  }
  return found;
}

/** The types that a view's unions admit, as far as each alternative tells by its face. */
function unionTypes(view: JsonSchema, components: Components): readonly (readonly JsonType[])[] {
  return ["anyOf", "oneOf"].flatMap((keyword) => {
    if (view[keyword] === undefined) return [];
    const types = new Set(schemasAt(view, keyword).flatMap((one) => typesOf(flatten(one, components).schema)));
    return [[...types].filter((type) => type !== "integer" || !types.has("number"))];
  });
}

/** The types that a schema admits, as far as it tells by its face. */
function typesByFace(schema: JsonSchema, components: Components): readonly JsonType[] {
  const { schema: flat } = flatten(schema, components);
  return [typesOf(flat), ...unionTypes(flat, components)].reduce<readonly JsonType[]>(sharedTypes, jsonTypes);
}

function sharedTypes(some: readonly JsonType[], others: readonly JsonType[]): readonly JsonType[] {
  return some.flatMap((type) => {
    if (others.includes(type)) return [type];
    if (type === "number" && others.includes("integer")) return ["integer" as const];
    return type === "integer" && others.includes("number") ? [type] : [];
  });
}

const mostCases = 24;

/**
 * Schemas that together admit at least these values (none but of these, where `unevaluated…` is not beside), made by
 * taking one union or condition apart, or with `members` else the list of a member's values; null where there is
 * nothing to take apart.
 */
export function casesOf(
  left: Left,
  components: Components,
  by: "alternatives" | "members",
  most = mostCases,
): readonly JsonSchema[] | null {
  const beside = schemasAt(left.schema, "allOf");
  // Taken apart from what it looks at, what is unevaluated would be something else.
  const open = beside.length === 0 ? [] : ["unevaluatedProperties", "unevaluatedItems"];
  const parts = [without(left.schema, "allOf", ...open), ...beside];
  for (const [index, part] of parts.entries()) {
    const branches = branchesOf(part);
    if (branches === null || branches.cases.length > most) continue;
    const { unevaluatedProperties, unevaluatedItems, ...rest } = without(part, ...branches.keywords);
    const others = parts.filter((_, other) => other !== index);
    // Of exactly one alternative the others have seen nothing, so what it leaves unevaluated is all that is left.
    const stays = branches.keywords.includes("oneOf") && others.length === 0 && branchesOf(rest) === null;
    const closes = stays ? { unevaluatedProperties, unevaluatedItems } : {};
    const closed = withDefined({}, closes);
    return branches.cases.flatMap((branch): readonly JsonSchema[] => {
      const types = typesByFace(branch, components);
      if (!types.some((type) => sharedTypes([type], [left.type]).length > 0)) return [];
      const isAlone = others.length === 0 && isAnything(closed) && types.every((type) => type === left.type);
      if (isAlone && Object.keys(rest).every((keyword) => keyword === "type")) return [branch];
      return [{ ...closed, allOf: [...others, rest, branch, { type: left.type }] }];
    });
  }
  return by === "members" && left.type === "object" ? memberCases(left, components, most) : null;
}

interface Branches {
  readonly keywords: readonly string[];
  readonly cases: readonly JsonSchema[];
}

function branchesOf(schema: JsonSchema): Branches | null {
  for (const keyword of ["anyOf", "oneOf"]) {
    if (schema[keyword] !== undefined) return { keywords: [keyword], cases: schemasAt(schema, keyword) };
  }
  if (schema.if === undefined) return null;
  const [condition = {}, then = {}, otherwise = {}] = ["if", "then", "else"].map((keyword) =>
    schemaAt(schema, keyword),
  );
  const cases = [{ allOf: [condition, then] }, { allOf: [{ not: condition }, otherwise] }];
  return { keywords: ["if", "then", "else"], cases };
}

/** One case for each value of a required member that has a few: what a discriminator tells apart. */
function memberCases(left: Left, components: Components, most: number): readonly JsonSchema[] | null {
  for (const view of left.views) {
    const required = stringsAt(view, "required");
    for (const [name, member] of schemaMapAt(view, "properties")) {
      if (!required.includes(name)) continue;
      const side = leftSide(member, components);
      if (side.kind !== "values" || side.values.length < 2 || side.values.length > most) continue;
      return side.values.map((value) => ({
        allOf: [left.schema, { properties: { [name]: { enum: [value] } } }],
      }));
    }
  }
  return null;
}
