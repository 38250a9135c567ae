import { sameJson, sortedSet } from "./canonical-json.ts";
import type { Json, JsonSchema } from "./json-schema.ts";
import { typeSpokenOf } from "./keywords.ts";
import {
  isAnything,
  isList,
  isNothing,
  isObject,
  jsonTypes,
  nothing,
  numberAt,
  schemaAt,
  schemaMapAt,
  schemasAt,
  stringsAt,
  typesOf,
  withDefined,
  without,
} from "./schema-node.ts";

/**
 * The schema without keywords that refuse nothing, and with one way of saying for what can be said in several. Its
 * subschemas are taken to be pruned. Not for a schema beside or inside an applicator that `unevaluated…` looks at:
 * there even a keyword that refuses nothing marks what it has seen.
 */
export function prune(schema: JsonSchema): JsonSchema {
  return [pruneTypes, pruneNumbers, pruneSizes, pruneObject, pruneArray, pruneLogic].reduce(
    (at, step) => step(at),
    schema,
  );
}

/** `type` becomes a sorted list, or goes when it admits all; what speaks about other types goes too. */
export function pruneTypes(schema: JsonSchema): JsonSchema {
  const types = typesOf(schema);
  if (types.length === 0) return nothing;
  const kept = Object.entries(without(schema, "type", "nullable")).filter(([keyword]) => {
    const spoken = typeSpokenOf(keyword, schema);
    return spoken === null || types.includes(spoken) || (spoken === "number" && types.includes("integer"));
  });
  const all = jsonTypes.every((type) => types.includes(type));
  return withDefined(Object.fromEntries(kept), { type: all ? undefined : types.toSorted() });
}

/** One lower and one upper bound are left, whole and inclusive ones where all numbers are whole. */
function pruneNumbers(schema: JsonSchema): JsonSchema {
  const types = typesOf(schema);
  const whole = types.includes("integer") && !types.includes("number");
  const [min, above] = [numberAt(schema, "minimum"), numberAt(schema, "exclusiveMinimum")];
  const [max, below] = [numberAt(schema, "maximum"), numberAt(schema, "exclusiveMaximum")];
  const rest = without(schema, "minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum");
  if (whole) {
    const least = [min === undefined ? [] : Math.ceil(min), above === undefined ? [] : Math.floor(above) + 1].flat();
    const greatest = [max === undefined ? [] : Math.floor(max), below === undefined ? [] : Math.ceil(below) - 1].flat();
    return withDefined(without(rest, ...(schema.multipleOf === 1 ? ["multipleOf"] : [])), {
      minimum: least.length > 0 ? Math.max(...least) : undefined,
      maximum: greatest.length > 0 ? Math.min(...greatest) : undefined,
    });
  }
  const openBelow = above !== undefined && above >= (min ?? above);
  const openAbove = below !== undefined && below <= (max ?? below);
  return withDefined(rest, {
    minimum: openBelow ? undefined : min,
    exclusiveMinimum: openBelow ? above : undefined,
    maximum: openAbove ? undefined : max,
    exclusiveMaximum: openAbove ? below : undefined,
  });
}

function pruneSizes(schema: JsonSchema): JsonSchema {
  const idle = ["minLength", "minItems", "minProperties"].filter((keyword) => (numberAt(schema, keyword) ?? 1) <= 0);
  return without(schema, ...idle, ...(schema.uniqueItems === false ? ["uniqueItems"] : []));
}

function pruneObject(schema: JsonSchema): JsonSchema {
  const others = schemaAt(schema, "additionalProperties");
  const idle = [
    others !== undefined && isAnything(others) ? "additionalProperties" : null,
    isAnything(schemaAt(schema, "propertyNames") ?? { title: "" }) ? "propertyNames" : null,
  ].filter((keyword) => keyword !== null);
  const open = without(schema, ...idle);
  const closed = open.additionalProperties !== undefined;
  const says = (member: JsonSchema): boolean => closed || !isAnything(member);
  const refused = others !== undefined && isNothing(others) && schema.patternProperties === undefined;
  const properties = [...schemaMapAt(open, "properties")].filter(
    ([, member]) => says(member) && !(refused && isNothing(member)),
  );
  const patterns = [...schemaMapAt(open, "patternProperties")].filter(([, member]) => says(member));
  const dependents = isObject(open.dependentRequired) ? dependentsIn(open.dependentRequired) : [];
  const required = sortedSet(stringsAt(open, "required"));
  return withDefined(without(open, "properties", "patternProperties", "dependentRequired", "required"), {
    properties: properties.length > 0 ? Object.fromEntries(properties) : undefined,
    patternProperties: patterns.length > 0 ? Object.fromEntries(patterns) : undefined,
    dependentRequired: dependents.length > 0 ? Object.fromEntries(dependents) : undefined,
    required: required.length > 0 ? required : undefined,
  });
}

function dependentsIn(dependencies: JsonSchema): readonly (readonly [string, Json])[] {
  return Object.keys(dependencies)
    .map((name) => [name, sortedSet(stringsAt(dependencies, name))] as const)
    .filter(([, names]) => names.length > 0);
}

function pruneArray(schema: JsonSchema): JsonSchema {
  const items = schemaAt(schema, "items");
  // The last of the first items needs no mention when those after it are told the same.
  let prefix = schemasAt(schema, "prefixItems");
  for (let last = prefix.at(-1); last !== undefined && sameJson(last, items ?? {}); last = prefix.at(-1))
    prefix = prefix.slice(0, -1);
  const [least, most] = [numberAt(schema, "minContains"), numberAt(schema, "maxContains")];
  const counts = schema.contains !== undefined && !(least === 0 && most === undefined);
  const rest = without(schema, "items", "prefixItems", "contains", "minContains", "maxContains");
  return withDefined(rest, {
    items: items === undefined || isAnything(items) ? undefined : items,
    prefixItems: prefix.length > 0 ? prefix : undefined,
    contains: counts ? schema.contains : undefined,
    minContains: counts && least !== 1 ? least : undefined,
    maxContains: counts ? most : undefined,
  });
}

function pruneLogic(schema: JsonSchema): JsonSchema {
  const refused = schemaAt(schema, "not");
  if (refused !== undefined && isAnything(refused)) return nothing;
  const conditional = schema.if !== undefined && (schema.then !== undefined || schema.else !== undefined);
  const idle = [
    ...(refused !== undefined && isNothing(refused) ? ["not"] : []),
    ...(conditional ? [] : ["if", "then", "else"]),
    ...(isList(schema.allOf) && schema.allOf.length === 0 ? ["allOf"] : []),
  ];
  return without(schema, ...idle);
}
