import { canonicalJson } from "../canonical-json.ts";
import type { Json, JsonSchema } from "../json-schema.ts";
import type { Components } from "../resolve-reference.ts";
import { schemaMapAt, schemasAt } from "../schema-node.ts";
import { type Left, leftSide, sureNames } from "./left.ts";

/** Alternatives that a member tells apart: each has it, with values that no other has. */
export interface TaggedUnion {
  readonly keyword: "anyOf" | "oneOf";
  readonly name: string;
  /** The alternative of each value, by the value's canonical text. */
  readonly branches: ReadonlyMap<string, JsonSchema>;
}

/** Null when the schema is no union, or no member tells its alternatives apart. */
export function taggedUnion(schema: JsonSchema, components: Components): TaggedUnion | null {
  const keyword = schema.oneOf === undefined ? "anyOf" : "oneOf";
  const branches = schemasAt(schema, keyword);
  if (branches.length < 2 || Object.keys(schema).length > 1) return null;
  const told = branches.map((branch) => tagsOf(branch, components));
  const [first, ...others] = told;
  for (const name of first?.keys() ?? []) {
    if (!others.every((tags) => tags.has(name))) continue;
    const byValue = new Map<string, JsonSchema>();
    let count = 0;
    for (const [index, tags] of told.entries()) {
      for (const value of tags.get(name) ?? []) {
        count += 1;
        byValue.set(canonicalJson(value), branches[index] ?? {});
      }
    }
    if (byValue.size === count) return { keyword, name, branches: byValue };
  }
  return null;
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

/** Which of the alternatives the left side's objects can be; null when nothing tells. */
export function branchesFor(
  left: Left,
  { name, branches }: TaggedUnion,
  components: Components,
): { readonly met: readonly JsonSchema[]; readonly unmet: readonly Json[] } | null {
  if (left.type !== "object") return null;
  const values = tagsOfLeft(left, components).get(name);
  if (values === undefined) return null;
  const met = new Set<JsonSchema>();
  const unmet: Json[] = [];
  for (const value of values) {
    const branch = branches.get(canonicalJson(value));
    if (branch === undefined) unmet.push(value);
    else met.add(branch);
  }
  return { met: [...met], unmet };
}
