import { intersect } from "./intersect.ts";
import { joinDisjoint } from "./join-disjoint.ts";
import type { JsonSchema } from "./json-schema.ts";
import { hasInPlaceApplicator, withoutAnnotations } from "./keywords.ts";
import { type Components, parseReference, resolveReference, UnresolvedReference } from "./resolve-reference.ts";
import { anything, isAnything, schemaAt, schemasAt, typesOf, withDefined, without } from "./schema-node.ts";

/** A schema whose own level is one flat list of keywords, and the references that were followed to make it. */
export interface Flat {
  readonly schema: JsonSchema;
  readonly references: readonly string[];
}

export interface FlattenOptions {
  /** Names of components whose references stay where they are. */
  readonly keep?: ReadonlySet<string>;
}

/**
 * Resolves `$ref`, merges `allOf` as far as one schema can say it, and joins a union of scalars of different types
 * ("string or null"), at the schema's own level only: subschemas stay as they are, so recursion is harmless. Equal
 * in meaning to the schema given; annotations are gone.
 */
export function flatten(schema: JsonSchema, components: Components, options: FlattenOptions = {}): Flat {
  const flat = (at: JsonSchema, above: readonly string[], followed: string[]): JsonSchema => {
    const { $ref, allOf: _, ...own } = withoutAnnotations(at);
    const reference = typeof $ref === "string" ? $ref : null;
    const kept = reference !== null && (options.keep?.has(parseReference(reference).component) ?? false);
    if (reference !== null && above.includes(reference)) {
      throw new UnresolvedReference(`$ref "${reference}" refers to itself without an object or array between.`);
    }
    const inside = reference === null ? above : [...above, reference];
    const members = schemasAt(at, "allOf").map((member) => flat(member, inside, followed));
    if (reference !== null && !kept) {
      followed.push(reference);
      members.unshift(flat(resolveReference(reference, components), inside, followed));
    }
    if (kept) members.unshift({ $ref: reference ?? "" });
    const level = members.length === 0 ? own : closed(members.reduce(intersect), own);
    // A scalar leads nowhere, so what its branch refers to need not be told.
    return joined(level, (branch) => flat(branch, above, []));
  };
  const references: string[] = [];
  return { schema: flat(schema, [], references), references };
}

/** Merges a schema's own keywords into its members: `unevaluated…` sees what the members evaluate, others do not. */
function closed(members: JsonSchema, own: JsonSchema): JsonSchema {
  const { unevaluatedProperties, unevaluatedItems, ...rest } = own;
  const merged = intersect(members, rest);
  if (unevaluatedProperties === undefined && unevaluatedItems === undefined) return merged;
  const closes = withDefined(anything, { unevaluatedProperties, unevaluatedItems });
  const alreadyClosed = merged.unevaluatedProperties !== undefined || merged.unevaluatedItems !== undefined;
  if (alreadyClosed) return { allOf: [merged], ...closes };
  if (hasInPlaceApplicator(merged)) return { ...merged, ...closes };
  // Where the members say something of all other names or items, none is left unevaluated.
  return withDefined(merged, {
    unevaluatedProperties: merged.additionalProperties === undefined ? unevaluatedProperties : undefined,
    unevaluatedItems: merged.items === undefined ? unevaluatedItems : undefined,
  });
}

/** The schema with a union of scalars of different types said as one schema of several types. */
function joined(schema: JsonSchema, flat: (branch: JsonSchema) => JsonSchema): JsonSchema {
  const keyword = schema.anyOf === undefined ? "oneOf" : "anyOf";
  const branches = schemasAt(schema, keyword);
  // A look at the bare branch first: a branch of objects or arrays may lead back here.
  if (branches.length === 0 || schemaAt(schema, "unevaluatedProperties") || !branches.every(mayBeScalar)) return schema;
  const flatBranches = branches.map(flat);
  if (!flatBranches.every(isScalar)) return schema;
  const union = joinDisjoint(flatBranches);
  if (union === null) return schema;
  const rest = without(schema, keyword);
  return isAnything(rest) ? union : intersect(rest, union);
}

const mayBeScalar = (branch: JsonSchema): boolean => branch.type === undefined || isScalar(branch);
const isScalar = (branch: JsonSchema): boolean =>
  typesOf(branch).every((type) => type !== "object" && type !== "array");
