import type { Json, JsonSchema } from "../contract.ts";
import { flatten } from "../schema/flatten.ts";
import { checkable, checkableSide, plain } from "../schema/inclusion/two-sides.ts";
import { areDisjoint } from "../schema/join-disjoint.ts";
import { keywordsOfType, mapSubschemas } from "../schema/keywords.ts";
import { type Components, UnresolvedReference } from "../schema/resolve-reference.ts";
import {
  anything,
  enumerated,
  isNothing,
  type JsonType,
  jsonTypes,
  nothing,
  numberAt,
  schemasAt,
  stringAt,
  typesOf,
  without,
} from "../schema/schema-node.ts";
import { validatorFor } from "../schema/validator.ts";
import type { Meant } from "./judge.ts";
import { numberPattern, wholeNumberPattern } from "./numerals.ts";
import type { Shape } from "./writing.ts";

/** The texts that are sent for the values of a schema; objects and lists stay what they are, of texts. */
export interface Texts {
  /** Needs no components. */
  readonly schema: JsonSchema;
  /** False where the schema admits texts of other values too. */
  readonly exact: boolean;
  /** Types of JSON that were made texts. */
  readonly types: ReadonlySet<"string" | "number" | "boolean">;
}

const notNull = jsonTypes.filter((type) => type !== "null");

/** The schema without null, which no parameter says. */
export function mayBeSent(schema: JsonSchema, components: Components): JsonSchema {
  if (!mentionsNull(schema, components)) return schema;
  return { allOf: [schema], type: notNull };
}

function mentionsNull(schema: JsonSchema, components: Components): boolean {
  try {
    const { schema: flat } = flatten(schema, components);
    return flat.type !== undefined || flat.anyOf !== undefined || flat.oneOf !== undefined
      ? typesOf(flat).includes("null")
      : true;
  } catch (error) {
    // A broken reference is told where schemas are compared.
    if (error instanceof UnresolvedReference) return false;
    throw error;
  }
}

/** The schema's lists, and its single values as lists of one. */
export function liftedToList(schema: JsonSchema, shapes: ReadonlySet<Shape>): JsonSchema {
  const single = (one: JsonSchema): JsonSchema => ({ type: "array", prefixItems: [one], minItems: 1, maxItems: 1 });
  // Nothing is sent for an empty list.
  const list = (one: JsonSchema): JsonSchema => ({ allOf: [one], type: "array", minItems: 1 });
  if (!shapes.has("array")) return single(schema);
  if (shapes.size === 1) return list(schema);
  return { anyOf: [list(schema), single({ allOf: [schema], type: notNull.filter((type) => type !== "array") })] };
}

/** Levels of lists and objects inside of each other; a parameter has hardly two. */
const mostLevels = 6;

class Unreadable extends Error {
  override readonly name = "Unreadable";
}

const known = new WeakMap<Components, WeakMap<JsonSchema, Texts | null>>();

/** Null where the schema says something that has no like of texts: a negation, a condition, or what contains itself. */
export function textsOf({ schema, components }: Meant): Texts | null {
  const ofComponents = known.get(components) ?? new WeakMap<JsonSchema, Texts | null>();
  known.set(components, ofComponents);
  const existing = ofComponents.get(schema);
  if (existing !== undefined) return existing;
  const made = madeOf(schema, components);
  ofComponents.set(schema, made);
  return made;
}

function madeOf(schema: JsonSchema, components: Components): Texts | null {
  const writer = new TextWriter(components);
  try {
    const texts = writer.write(schema, 0);
    return { schema: texts, exact: writer.exact, types: writer.types };
  } catch (error) {
    if (error instanceof Unreadable || error instanceof UnresolvedReference) return null;
    throw error;
  }
}

const unwritten = ["not", "if", "dependentSchemas", "unevaluatedProperties", "unevaluatedItems"];

class TextWriter {
  exact = true;
  readonly types = new Set<"string" | "number" | "boolean">();
  private readonly components: Components;

  constructor(components: Components) {
    this.components = components;
  }

  write(schema: JsonSchema, level: number): JsonSchema {
    if (level > mostLevels) throw new Unreadable("The schema has too many levels.");
    if (isNothing(schema)) return nothing;
    const { schema: flat } = flatten(schema, this.components);
    if (isNothing(flat)) return nothing;
    for (const keyword of ["anyOf", "oneOf"]) {
      if (flat[keyword] === undefined) continue;
      const rest = without(flat, keyword);
      const branches = schemasAt(flat, keyword).map((branch) => ({ allOf: [rest, branch] }));
      const flatBranches = branches.map((branch) => flatten(branch, this.components).schema);
      if (keyword === "oneOf" && !areDisjoint(flatBranches)) this.exact = false;
      return { anyOf: branches.map((branch) => this.write(branch, level + 1)) };
    }
    if (unwritten.some((keyword) => flat[keyword] !== undefined)) throw new Unreadable("The schema has conditions.");
    const values = enumerated(flat);
    if (values !== undefined) return this.ofValues(values, flat);
    const parts = typesOf(flat).flatMap((type): readonly JsonSchema[] => this.ofType(type, flat, level));
    const [only, ...others] = parts;
    if (only === undefined) return nothing;
    return others.length === 0 ? only : { anyOf: parts };
  }

  private ofValues(values: readonly Json[], flat: JsonSchema): JsonSchema {
    const accepts = validatorFor(checkableSide(this.components)).accepts(checkable(plain(flat)));
    const kept = values.filter((value) => value !== null && accepts(value));
    if (kept.some((value) => typeof value === "object")) throw new Unreadable("Lists or objects are listed.");
    for (const value of kept)
      this.types.add(typeof value === "string" || typeof value === "number" ? typeOfText(value) : "boolean");
    return kept.length === 0 ? nothing : { type: "string", enum: [...new Set(kept.map(String))] };
  }

  private ofType(type: JsonType, flat: JsonSchema, level: number): readonly JsonSchema[] {
    const own = (keywords: readonly string[]): JsonSchema =>
      Object.fromEntries(Object.entries(flat).filter(([keyword]) => keywords.includes(keyword)));
    if (flat.allOf !== undefined && type !== "string") this.exact = false;
    const beside = flat.allOf !== undefined && type === "string" ? { allOf: flat.allOf } : anything;
    switch (type) {
      case "null":
        return [];
      case "string":
        this.types.add("string");
        return [{ type, ...own(keywordsOfType.string), ...beside }];
      case "boolean":
        this.types.add("boolean");
        return [{ type: "string", enum: ["false", "true"] }];
      case "integer":
      case "number":
        this.types.add("number");
        return [{ type: "string", pattern: this.numerals(type, flat) }];
      case "array":
      case "object":
        return [
          {
            type,
            ...mapSubschemas(own(keywordsOfType[type]), (part, keyword) => this.part(part, keyword, level), "map"),
          },
        ];
    }
  }

  private part(part: JsonSchema, keyword: string, level: number): JsonSchema {
    return keyword === "propertyNames" ? part : this.write(part, level + 1);
  }

  private numerals(type: "integer" | "number", flat: JsonSchema): string {
    const bits = { int32: 31n, int64: 63n }[stringAt(flat, "format") ?? ""];
    const bounds = ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"].map((keyword) => {
      const bound = numberAt(flat, keyword);
      // As YAML writes it, and numbers beyond all that JSON can hold: no bound.
      return Number.isFinite(bound) ? bound : undefined;
    });
    if (flat.multipleOf !== undefined) this.exact = false;
    if (type === "number") {
      if (bounds.some((bound) => bound !== undefined) || bits !== undefined) this.exact = false;
      return numberPattern;
    }
    const [min, above, max, below] = bounds;
    const lows = [
      ...(min === undefined ? [] : [BigInt(Math.ceil(min))]),
      ...(above === undefined ? [] : [BigInt(Math.floor(above)) + 1n]),
      ...(bits === undefined ? [] : [-(2n ** bits)]),
    ];
    const highs = [
      ...(max === undefined ? [] : [BigInt(Math.floor(max))]),
      ...(below === undefined ? [] : [BigInt(Math.ceil(below)) - 1n]),
      ...(bits === undefined ? [] : [2n ** bits - 1n]),
    ];
    const low = lows.reduce<bigint | null>((one, other) => (one === null || other > one ? other : one), null);
    const high = highs.reduce<bigint | null>((one, other) => (one === null || other < one ? other : one), null);
    return wholeNumberPattern({ low, high });
  }
}

const typeOfText = (value: string | number): "string" | "number" => (typeof value === "string" ? "string" : "number");
