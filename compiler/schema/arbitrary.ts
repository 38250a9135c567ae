import fc from "fast-check";
import { anyJson } from "./arbitrary/any-json.ts";
import { arrayArbitrary } from "./arbitrary/array-arbitrary.ts";
import { isWithin } from "./arbitrary/hostile-text.ts";
import { integerArbitrary, numberArbitrary } from "./arbitrary/number-arbitrary.ts";
import { objectArbitrary } from "./arbitrary/object-arbitrary.ts";
import { boundsOf, stringArbitrary } from "./arbitrary/string-arbitrary.ts";
import { NoValueFound, satisfying } from "./bounded-filter.ts";
import { canonicalJson } from "./canonical-json.ts";
import { flatten } from "./flatten.ts";
import type { Json, JsonSchema } from "./json-schema.ts";
import { type Components, parseReference, recursiveComponents, referencesIn } from "./resolve-reference.ts";
import {
  enumerated,
  isAnything,
  isNothing,
  type JsonType,
  schemaAt,
  schemasAt,
  stringAt,
  typesOf,
  without,
} from "./schema-node.ts";
import { validatorFor } from "./validator.ts";

export interface ArbitraryOptions {
  /**
   * Whether objects that declare properties and say nothing about others get others too (default: no). They are
   * valid, but nobody has said what a reader does with them.
   */
  readonly undeclaredMembers?: boolean;
  /** How often a value may lead back into schemas that contain themselves, beyond each of them once (default 2). */
  readonly recursion?: number;
  /** Called for each part that is looked at and each value that is tried, with what it costs; may throw to end it. */
  readonly onTry?: (steps: number) => void;
}

/**
 * Values that satisfy a schema, hostile ones among them: boundaries, awkward texts, optional members present and
 * absent. Every value, also every shrunk one, is valid by the validator, and survives JSON unchanged.
 * Throws `NoValueFound` when no value can be found.
 */
export function arbitraryOf(
  schema: JsonSchema,
  components: Components,
  options: ArbitraryOptions = {},
): fc.Arbitrary<Json> {
  const made = new Grower(components, options).whole(schema);
  if (made === null)
    throw new NoValueFound(
      `No value found for ${brief(schema)}: it contradicts itself, or only an endless value satisfies it.`,
    );
  return made;
}

/** What it takes to compile a schema, in values tried. */
const stepsToCompile = 50;

const manyItems = 5;
const fewItems = 2;

/** Makes arbitraries of one document's schemas; holds what one call has made already. */
class Grower {
  private readonly components: Components;
  private readonly options: ArbitraryOptions;
  private readonly recursive: ReadonlySet<string>;
  private readonly made = new Map<string, fc.Arbitrary<Json> | null>();

  constructor(components: Components, options: ArbitraryOptions) {
    this.components = components;
    this.options = options;
    this.recursive = recursiveComponents(components);
  }

  whole(schema: JsonSchema): fc.Arbitrary<Json> | null {
    const made = this.grow(schema, this.recursive.size + (this.options.recursion ?? 2));
    return made && this.filtered(made, schema);
  }

  /** `depth`: how many more references to recursive components may be followed on the way down. */
  private grow(schema: JsonSchema, depth: number): fc.Arbitrary<Json> | null {
    const reference = stringAt(schema, "$ref");
    if (reference === undefined || Object.keys(schema).length > 1) return this.growAnew(schema, depth);
    const key = `${depth} ${reference}`;
    const existing = this.made.get(key);
    if (existing !== undefined) return existing;
    const made = this.growAnew(schema, depth);
    this.made.set(key, made);
    return made;
  }

  private growAnew(schema: JsonSchema, depth: number): fc.Arbitrary<Json> | null {
    this.options.onTry?.(1);
    const { schema: flat, references } = flatten(schema, this.components);
    const left =
      depth - references.filter((reference) => this.recursive.has(parseReference(reference).component)).length;
    if (left < 0 || isNothing(flat)) return null;
    if (isAnything(flat)) return anyJson;
    const made = this.growFlat(flat, left);
    if (made === null || !needsFilter(flat)) return made;
    return this.filtered(made, flat);
  }

  private growFlat(flat: JsonSchema, depth: number): fc.Arbitrary<Json> | null {
    const values = enumerated(flat)?.filter(this.accepts(flat));
    if (values) return values.length === 0 ? null : fc.constantFrom(...values);
    for (const union of ["anyOf", "oneOf"] as const) {
      if (flat[union] !== undefined) return this.growBranches(without(flat, union), schemasAt(flat, union), depth);
    }
    const condition = schemaAt(flat, "if");
    if (condition) {
      const [then = {}, otherwise = {}] = [schemaAt(flat, "then"), schemaAt(flat, "else")];
      const branches = [{ allOf: [condition, then] }, { allOf: [{ not: condition }, otherwise] }];
      return this.growBranches(without(flat, "if", "then", "else"), branches, depth);
    }
    const parts = schemasAt(flat, "allOf");
    // Without a type of its own, what could not be merged may know better what to try.
    const tried = flat.type === undefined ? parts.filter((part) => part.type !== undefined) : [];
    const byParts = tried.map((part) => this.grow(part, depth));
    return oneOf([...byParts, ...typesOf(flat).map((type) => this.growType(type, flat, depth))]);
  }

  private growBranches(rest: JsonSchema, branches: readonly JsonSchema[], depth: number): fc.Arbitrary<Json> | null {
    return oneOf(branches.map((branch) => this.grow({ ...rest, allOf: [...schemasAt(rest, "allOf"), branch] }, depth)));
  }

  private growType(type: JsonType, flat: JsonSchema, depth: number): fc.Arbitrary<Json> | null {
    const grow = (schema: JsonSchema): fc.Arbitrary<Json> | null => this.grow(schema, depth);
    switch (type) {
      case "null":
        return fc.constant(null);
      case "boolean":
        return fc.boolean();
      case "integer":
        return integerArbitrary(flat);
      case "number":
        return numberArbitrary(flat);
      case "string":
        return stringArbitrary(flat, this.accepts(flat));
      case "array":
        return arrayArbitrary(flat, grow, this.leadsBack(flat) ? fewItems : manyItems);
      case "object":
        return objectArbitrary(flat, grow, { undeclaredMembers: this.options.undeclaredMembers ?? false });
    }
  }

  /** A list of such items at each level of a recursive schema would make values of thousands of parts. */
  private leadsBack(schema: JsonSchema): boolean {
    return [...referencesIn(schema)].some((reference) => this.recursive.has(parseReference(reference).component));
  }

  private filtered(made: fc.Arbitrary<Json>, schema: JsonSchema): fc.Arbitrary<Json> | null {
    return satisfying(made, this.accepts(schema), () => brief(schema));
  }

  private accepts(schema: JsonSchema): (value: Json) => boolean {
    let accepts: ((value: unknown) => boolean) | null = null;
    const bounds = boundsOf(schema);
    return (value) => {
      this.options.onTry?.(accepts === null ? stepsToCompile : 1);
      // A pattern may take a text that is far too long for longer than anybody waits, and is asked whatever the length.
      if (typeof value === "string" && !isWithin(value, bounds)) return false;
      accepts ??= validatorFor(this.components).accepts(schema);
      return accepts(value);
    };
  }
}

function oneOf(choices: readonly (fc.Arbitrary<Json> | null)[]): fc.Arbitrary<Json> | null {
  const possible = choices.filter((choice) => choice !== null);
  return possible.length === 0 ? null : fc.oneof(...possible);
}

/** Keywords that construction alone does not satisfy, so that their values are filtered where they stand. */
const constructedImperfectly = [
  ...[
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "pattern",
    "format",
    "multipleOf",
    "uniqueItems",
    "prefixItems",
    "contains",
  ],
  ...["unevaluatedItems", "unevaluatedProperties", "minProperties", "patternProperties", "propertyNames"],
  ...["dependentRequired", "dependentSchemas"],
];
const needsFilter = (flat: JsonSchema): boolean =>
  constructedImperfectly.some((keyword) => flat[keyword] !== undefined);

function brief(schema: JsonSchema): string {
  const text = canonicalJson(schema);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
