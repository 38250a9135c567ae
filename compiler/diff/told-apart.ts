import type { Json, JsonSchema } from "../contract.ts";
import { forEachSubschema, mapSubschemas } from "../schema/keywords.ts";
import type { Components } from "../schema/resolve-reference.ts";
import { enumerated, isObject, schemaIn, schemasAt, stringAt } from "../schema/schema-node.ts";
import type { Meant } from "./meant.ts";
import { isNamedAlways } from "./named-always.ts";
import { targetOf } from "./schema-walk.ts";

/**
 * The schema as its discriminators have it: a value is of the alternative that its tag names. By the letter it may be of
 * another, where the alternatives do not say themselves what tag they have. The same object where nothing differs.
 */
export function toldApart({ schema, components }: Meant): Meant {
  const apart = componentsApart(components);
  const own = apartIn(schema, components);
  return apart === components && own === schema ? { schema, components } : { schema: own, components: apart };
}

const known = new WeakMap<Components, Components>();

/** One value for each document, since verdicts are kept by it. */
function componentsApart(components: Components): Components {
  const found = known.get(components);
  if (found !== undefined) return found;
  const made = Object.entries(components).map(([name, schema]) => [name, apartIn(schema, components)] as const);
  const isSame = made.every(([name, schema]) => schema === components[name]);
  const apart = isSame ? components : Object.fromEntries(made);
  known.set(components, apart);
  return apart;
}

function apartIn(schema: JsonSchema, components: Components): JsonSchema {
  if (!hasUnionToTell(schema, components)) return schema;
  const inner = mapSubschemas(schema, (part) => apartIn(part, components));
  const told = tagsOf(schema, components);
  if (told === null) return inner;
  const { keyword, name, tags } = told;
  const branches = schemasAt(inner, keyword).map((branch, index): JsonSchema => {
    const values = tags[index];
    return values == null
      ? branch
      : { allOf: [branch, { required: [name], properties: { [name]: { enum: values } } }] };
  });
  return { ...inner, [keyword]: branches };
}

/** Returns true if the schema is a union, and its discriminator alone says which values distinguish the alternatives. */
export const isTaggedByDiscriminator = (schema: JsonSchema, components: Components): boolean =>
  tagsOf(schema, components) !== null;

/** Whether a discriminator tells something somewhere in the schema, references not followed. */
function hasUnionToTell(schema: JsonSchema, components: Components): boolean {
  let found = tagsOf(schema, components) !== null;
  forEachSubschema(schema, (inner) => {
    found ||= hasUnionToTell(inner, components);
  });
  return found;
}

interface Tags {
  readonly keyword: "anyOf" | "oneOf";
  readonly name: string;
  /** Of each alternative; null where it says by itself what it has. */
  readonly tags: readonly (readonly Json[] | null)[];
}

/** Null where the schema is no union with a discriminator, or that tells nothing sure. */
function tagsOf(schema: JsonSchema, components: Components): Tags | null {
  const { discriminator } = schema;
  const name = isObject(discriminator) ? discriminator.propertyName : undefined;
  if (!isObject(discriminator) || typeof name !== "string") return null;
  const keyword = schema.oneOf === undefined ? "anyOf" : "oneOf";
  const mapped = Object.entries(isObject(discriminator.mapping) ? discriminator.mapping : {}).map(
    ([value, target]) => [value, nameOf(String(target))] as const,
  );
  const targets = schemasAt(schema, keyword).map((branch) => stringAt(branch, "$ref"));
  const tags = targets.map((reference): readonly Json[] | null | undefined => {
    const target = targetOf(reference, components);
    if (reference === undefined || target === null) return undefined;
    // Where the property is not named, a closed object would refuse it.
    if (!isNamedAlways(target.schema, components, name)) return null;
    const own = nameOf(reference);
    const named = mapped.filter(([, to]) => to === own).map(([value]) => value);
    const values = named.length > 0 ? named : [own];
    // A list of all tags that there are, which each alternative has alike, tells none apart.
    const listed = valuesOf(target.schema, components, name);
    const isToTell = listed === null || (listed.length > values.length && values.every((one) => listed.includes(one)));
    return isToTell ? values : null;
  });
  const given = tags.flatMap((values) => values ?? []);
  const isSure = tags.every((values) => values !== undefined) && new Set(given).size === given.length;
  if (!isSure || given.length === 0) return null;
  return { keyword, name, tags: tags.map((values) => values ?? null) };
}

/** What a component is called, of which a mapping may name the file that it came from. */
const nameOf = (reference: string): string =>
  reference.slice(reference.lastIndexOf("/") + 1).replace(/\.(?:ya?ml|json)$/, "");

/** Parts in parts that are looked at. */
const mostLevels = 8;

/** The values that a schema lists for a member, itself or in a part; null where it lists none. */
function valuesOf(schema: JsonSchema, components: Components, name: string, level = 0): readonly Json[] | null {
  if (level >= mostLevels) return null;
  const member = schemaIn(schema, "properties", name);
  const own = enumerated(targetOf(stringAt(member ?? {}, "$ref"), components)?.schema ?? member ?? {});
  if (own !== undefined) return own;
  const target = targetOf(stringAt(schema, "$ref"), components);
  const parts = [...(target === null ? [] : [target.schema]), ...schemasAt(schema, "allOf")];
  const found = parts.flatMap((part) => {
    const values = valuesOf(part, components, name, level + 1);
    return values === null ? [] : [values];
  });
  // Of several lists the shortest tells most.
  return found.toSorted((one, other) => one.length - other.length)[0] ?? null;
}
