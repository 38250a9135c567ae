import { canonicalJson } from "../canonical-json.ts";
import type { Json, JsonSchema } from "../json-schema.ts";
import type { Components } from "../resolve-reference.ts";
import { schemaMapAt, schemasAt } from "../schema-node.ts";
import { type Left, leftSide, sureNames } from "./left.ts";

/** Alternatives that a member tells apart, each by itself or a few together: they have it, with values that others do not have. */
export interface TaggedUnion {
  readonly keyword: "anyOf" | "oneOf";
  readonly name: string;
  /**
   * The alternatives of each value, by the value's canonical text, as the union that is left of all. The same
   * alternatives are the same object.
   */
  readonly unions: ReadonlyMap<string, JsonSchema>;
}

/** Null when the schema is no union, or no member tells its alternatives apart. */
export function taggedUnion(schema: JsonSchema, components: Components): TaggedUnion | null {
  const keyword = schema.oneOf === undefined ? "anyOf" : "oneOf";
  const branches = schemasAt(schema, keyword);
  if (branches.length < 2 || Object.keys(schema).length > 1) return null;
  const told = branches.map((branch) => tagsOf(branch, components));
  const [first, ...others] = told;
  const names = [...(first?.keys() ?? [])].filter((name) => others.every((tags) => tags.has(name)));
  let best = { most: branches.length, name: "", values: new Map<string, readonly number[]>() };
  for (const name of names) {
    const values = new Map<string, readonly number[]>();
    for (const [index, tags] of told.entries()) {
      for (const value of tags.get(name) ?? []) {
        const text = canonicalJson(value);
        values.set(text, [...(values.get(text) ?? []), index]);
      }
    }
    const most = Math.max(...[...values.values()].map(({ length }) => length));
    if (most < best.most) best = { most, name, values };
  }
  if (best.most === branches.length) return null;
  const unions = new Map<string, JsonSchema>();
  const unionOf = (indexes: readonly number[]): JsonSchema => {
    const key = indexes.join(" ");
    const [only = {}, ...more] = branches.filter((_, index) => indexes.includes(index));
    const made: JsonSchema = unions.get(key) ?? (more.length === 0 ? only : { [keyword]: [only, ...more] });
    unions.set(key, made);
    return made;
  };
  const byValue = [...best.values].map(([text, indexes]) => [text, unionOf(indexes)] as const);
  return { keyword, name: best.name, unions: new Map(byValue) };
}

/** The members that every object of a schema has, and whose values can be listed; none where it admits others. */
function tagsOf(schema: JsonSchema, components: Components): ReadonlyMap<string, readonly Json[]> {
  const side = leftSide(schema, components);
  const [left, ...others] = side.kind === "types" ? side.lefts : [];
  return left === undefined || others.length > 0 || left.type !== "object" ? new Map() : tagsOfLeft(left, components);
}

function tagsOfLeft({ views }: Left, components: Components): ReadonlyMap<string, readonly Json[]> {
  const sure = sureNames(views);
  const found = new Map<string, readonly Json[]>();
  for (const view of views) {
    for (const [name, member] of schemaMapAt(view, "properties")) {
      if (!sure.has(name) || found.has(name)) continue;
      const side = leftSide(member, components);
      if (side.kind === "values") found.set(name, distinct(side.values));
    }
  }
  return found;
}

const distinct = (values: readonly Json[]): readonly Json[] => [
  ...new Map(values.map((value) => [canonicalJson(value), value])).values(),
];

/** What is left of the union for the left side's objects, by their values; null when nothing tells. */
export function unionsFor(
  left: Left,
  { name, unions }: TaggedUnion,
  components: Components,
): { readonly met: readonly JsonSchema[]; readonly unmet: readonly Json[] } | null {
  if (left.type !== "object") return null;
  const values = tagsOfLeft(left, components).get(name);
  if (values === undefined) return null;
  const met = new Set<JsonSchema>();
  const unmet: Json[] = [];
  for (const value of values) {
    const union = unions.get(canonicalJson(value));
    if (union === undefined) unmet.push(value);
    else met.add(union);
  }
  return { met: [...met], unmet };
}
