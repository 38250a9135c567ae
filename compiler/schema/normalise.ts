import { canonicalJson, sameJson, sortedSet } from "./canonical-json.ts";
import { flatten } from "./flatten.ts";
import { closedPlainly, conflictGroupOf } from "./intersect.ts";
import type { Json, JsonSchema } from "./json-schema.ts";
import { evaluators, inPlaceApplicators, mapSubschemas, withoutAnnotations } from "./keywords.ts";
import { enumeration, mergeUnions } from "./merge-union.ts";
import { prune, pruneTypes } from "./prune.ts";
import { type Components, recursiveComponents } from "./resolve-reference.ts";
import {
  enumerated,
  isAnything,
  isList,
  isNothing,
  isObject,
  nothing,
  schemaFrom,
  schemasAt,
  without,
} from "./schema-node.ts";
import { validatorFor } from "./validator.ts";

/**
 * The canonical form of a schema: admits exactly the same values, says so in one of few ways, and equals (as JSON) the
 * canonical form of most schemas that mean the same. References are resolved, but for those to components that contain
 * themselves; `allOf` is merged as far as one schema can say it; `const` and `nullable` are said as `enum` and `type`,
 * a list; annotations and keywords that refuse nothing are gone; keywords, names and values are sorted.
 * False is `{ "not": {} }`, true is `{}`.
 */
export function normalise(schema: JsonSchema, components: Components): JsonSchema {
  const keep = recursiveComponents(components);
  const { accepts } = validatorFor(components);
  const pass = (at: JsonSchema): JsonSchema => {
    const { schema: flat } = flatten(at, components, { keep });
    if (isNothing(flat)) return nothing;
    const values = enumerated(flat);
    if (values !== undefined) return enumeration(values.filter(accepts(flat)));
    const plain = closedPlainly(flat);
    if (plain === null) return evaluating(flat, pass);
    return inOrder(mergeUnions(prune(mapSubschemas(plain, pass, "map"))));
  };
  // A simpler part can make the whole simpler: once more until nothing changes. Each round but the last removes something.
  let current = pass(schema);
  for (let round = 0; round < maxRounds; round++) {
    const next = pass(current);
    if (sameJson(next, current)) break;
    current = next;
  }
  return schemaFrom(sorted(current));
}

const maxRounds = 20;

/**
 * Beside `unevaluated…` an applicator matters for what it looks at, not only for what it refuses: it is left as it
 * is, without annotations. Everything else is normal.
 */
function evaluating(schema: JsonSchema, pass: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const looking: readonly string[] = [...inPlaceApplicators, ...evaluators];
  const parts = mapSubschemas(schema, (part, keyword) => (looking.includes(keyword) ? bare(part) : pass(part)), "map");
  return inOrder(pruneTypes(parts));
}

const bare = (schema: JsonSchema): JsonSchema => mapSubschemas(withoutAnnotations(schema), bare);

/**
 * What `allOf` could not merge, in an order of its own: of two patterns the smaller text stands in the schema itself,
 * the other in its `allOf`, whichever came first.
 */
function inOrder(schema: JsonSchema): JsonSchema {
  let own = without(schema, "allOf");
  const kept: JsonSchema[] = [];
  for (const part of sortedSet(schemasAt(schema, "allOf"))) {
    if (isNothing(part)) return nothing;
    if (isAnything(part)) continue;
    const keywords = conflictGroupOf(part);
    const rival = Object.fromEntries(Object.entries(own).filter(([keyword]) => keywords.includes(keyword)));
    if (isAnything(rival) || canonicalJson(rival) < canonicalJson(part)) {
      kept.push(part);
    } else {
      own = { ...without(own, ...keywords), ...part };
      kept.push(rival);
    }
  }
  return kept.length > 0 ? { ...own, allOf: sortedSet(kept) } : own;
}

/** The same JSON with the members of every object in order. */
function sorted(json: Json): Json {
  if (isList(json)) return json.map(sorted);
  if (!isObject(json)) return json;
  const members = Object.entries(json).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}
