import { Ajv2020 } from "ajv/dist/2020.js";
import { canonicalJson } from "../canonical-json.ts";
import { addStrictFormats } from "../formats.ts";
import { Interning } from "../interning.ts";
import type { Json, JsonSchema } from "../json-schema.ts";
import { forEachSubschema, inPlaceApplicators, isAnnotation, isKnown, mapSubschemas } from "../keywords.ts";
import {
  type Components,
  parseReference,
  referencesIn,
  resolveReference,
  UnresolvedReference,
} from "../resolve-reference.ts";
import { stringAt, stringsAt, without } from "../schema-node.ts";
import { UnusableSchema, validatorFor } from "../validator.ts";

/** A schema with the components of its own document. */
export interface Sided {
  readonly schema: JsonSchema;
  readonly components: Components;
}

/** Two documents' components under names that tell them apart, so that schemas of both can stand in one schema. */
export interface TwoSides {
  readonly components: Components;
  /** The same without formats that nobody can check. */
  readonly checkable: Components;
  /** The schema of a side as it reads here. */
  readonly first: (schema: JsonSchema) => JsonSchema;
  readonly second: (schema: JsonSchema) => JsonSchema;
  /**
   * Whether a value satisfies a schema of the first side, as it reads here. What that is compiled for is shared with whoever
   * looks at the side by itself, where it stands in the components or in what `first` gave.
   */
  readonly acceptsFirst: (schema: JsonSchema, value: Json) => boolean;
  /** Numbers for schemas of either side, as they read here. */
  readonly numbers: Interning;
}

const known = new WeakMap<Components, WeakMap<Components, TwoSides>>();

/** Kept for each pair of documents, by identity. */
export function twoSides(first: Components, second: Components): TwoSides {
  const ofFirst = known.get(first) ?? new WeakMap<Components, TwoSides>();
  known.set(first, ofFirst);
  const existing = ofFirst.get(second);
  if (existing !== undefined) return existing;
  const made = bring(first, second);
  ofFirst.set(second, made);
  return made;
}

function bring(firstSide: Components, secondSide: Components): TwoSides {
  const [first, second] = [plainComponents(firstSide), plainComponents(secondSide)];
  const shared = sharedNames(first, second);
  /** What schemas of the first side are in their own document. */
  const own = new WeakMap<JsonSchema, JsonSchema>();
  const withNames = (prefix: string, schema: JsonSchema): JsonSchema => {
    const inner = mapSubschemas(schema, renamed(prefix));
    const reference = stringAt(inner, "$ref");
    if (reference === undefined) return inner;
    const { component } = parseReference(reference);
    const side = shared.has(component) ? "shared" : prefix;
    return { ...inner, $ref: reference.replace("#/components/schemas/", (start) => `${start}${side}.`) };
  };
  const renamed =
    (prefix: string) =>
    (schema: JsonSchema): JsonSchema => {
      const made = withNames(prefix, schema);
      if (prefix === "first") own.set(made, schema);
      return made;
    };
  const named = (components: Components, prefix: string): readonly (readonly [string, JsonSchema])[] =>
    Object.entries(components).map(([name, schema]) => [
      `${shared.has(name) ? "shared" : prefix}.${name}`,
      renamed(prefix)(schema),
    ]);
  const components = Object.fromEntries([...named(second, "second"), ...named(first, "first")]);
  const bothCheckable = checkableComponents(components);
  return {
    components,
    checkable: bothCheckable,
    first: (schema) => renamed("first")(plain(schema)),
    second: (schema) => renamed("second")(plain(schema)),
    acceptsFirst(schema, value) {
      const known = own.get(schema);
      const [one, among] = known === undefined ? [schema, bothCheckable] : [known, checkableSide(firstSide)];
      return validatorFor(among).accepts(checkable(one))(value);
    },
    numbers: new Interning(),
  };
}

/** Names that mean the same on both sides, in all that they lead to. */
function sharedNames(first: Components, second: Components): ReadonlySet<string> {
  const same = Object.entries(first).filter(([name, schema]) => {
    const other = Object.hasOwn(second, name) ? second[name] : undefined;
    return other !== undefined && canonicalJson(schema) === canonicalJson(other);
  });
  const shared = new Set(same.map(([name]) => name));
  const leadsTo = new Map(
    same.map(([name, schema]) => [name, [...referencesIn(schema)].map((ref) => parseReference(ref).component)]),
  );
  for (let before = -1; before !== shared.size; ) {
    before = shared.size;
    for (const name of shared) if (leadsTo.get(name)?.some((other) => !shared.has(other))) shared.delete(name);
  }
  return shared;
}

/** Keywords that refuse values, or change what others mean, in ways that are not followed here. */
const unsupported = ["$id", "$dynamicRef", "$recursiveRef", "dependencies"];

/** The schema without keywords that refuse nothing; `nullable` is said by `type`. Places inside stay where they are. */
export function plain(schema: JsonSchema): JsonSchema {
  const found = unsupported.find((keyword) => schema[keyword] !== undefined);
  if (found !== undefined)
    throw new UnusableSchema(`"${found}" is not supported. Say it with $ref into the components.`);
  const { nullable, ...kept } = Object.fromEntries(
    Object.entries(schema).filter(([keyword]) => isKnown(keyword) && !isAnnotation(keyword)),
  );
  const types = typeof kept.type === "string" ? [kept.type] : stringsAt(kept, "type");
  const typed: JsonSchema =
    nullable === true && kept.type !== undefined ? { ...kept, type: [...new Set([...types, "null"])] } : kept;
  return mapSubschemas(typed, plain);
}

const plainOf = new WeakMap<Components, Components>();

/** Components as they are read here. One that can't be used is left out, and missed only by what refers to it. */
export function plainComponents(components: Components): Components {
  const existing = plainOf.get(components);
  if (existing !== undefined) return existing;
  const readable = Object.entries(components).flatMap(([name, schema]): [string, JsonSchema][] => {
    try {
      const made = plain(schema);
      for (const reference of referencesIn(made)) parseReference(reference);
      return [[name, made]];
    } catch (error) {
      if (error instanceof UnusableSchema || error instanceof UnresolvedReference) return [];
      throw error;
    }
  });
  const made = Object.fromEntries(readable);
  plainOf.set(components, made);
  return made;
}

const formats: ReadonlySet<Json> = knownFormats();

function knownFormats(): ReadonlySet<Json> {
  const ajv = new Ajv2020({ meta: false });
  addStrictFormats(ajv);
  return new Set(Object.keys(ajv.formats));
}

export const isCheckableFormat = (format: string): boolean => formats.has(format);

/** The schema without formats that no validator knows: as JSON Schema has it, they refuse nothing there. */
export function checkable(schema: JsonSchema): JsonSchema {
  const existing = withoutFormats.get(schema);
  if (existing !== undefined) return existing;
  const inner = mapSubschemas(schema, checkable);
  const made = inner.format !== undefined && !formats.has(inner.format) ? without(inner, "format") : inner;
  withoutFormats.set(schema, made);
  return made;
}

/** False where a format that nobody can check may have its say about a value. */
export function isCheckableWith(components: Components, schema: JsonSchema, value: Json): boolean {
  if (value === null || typeof value === "boolean") return true;
  const hasParts = typeof value === "object";
  const pending = [schema];
  const seen = new Set<string>();
  // A list that grows while it is walked is walked to its new end.
  for (const at of pending) {
    if (at.format !== undefined && !formats.has(at.format)) return false;
    const reference = stringAt(at, "$ref");
    if (reference !== undefined && !seen.has(reference)) {
      seen.add(reference);
      pending.push(resolveReference(reference, components));
    }
    forEachSubschema(at, (inner, keyword) => {
      if (hasParts || ofTheValueItself.has(keyword)) pending.push(inner);
    });
  }
  return true;
}

const ofTheValueItself: ReadonlySet<string> = new Set(["not", ...inPlaceApplicators]);

/** Kept, so that the same schema stays the same for whoever compiles it. */
const withoutFormats = new WeakMap<JsonSchema, JsonSchema>();

function checkableComponents(components: Components): Components {
  return Object.fromEntries(Object.entries(components).map(([name, schema]) => [name, checkable(schema)]));
}

const checkableOf = new WeakMap<Components, Components>();

/** Components of one side, for a validator. */
export function checkableSide(components: Components): Components {
  const existing = checkableOf.get(components);
  const made = existing ?? checkableComponents(plainComponents(components));
  checkableOf.set(components, made);
  return made;
}
