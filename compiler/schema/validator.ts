import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from "ajv/dist/2020.js";
import type { DataValidationCxt } from "ajv/dist/types/index.js";
import { replaceInexactKeywords } from "./exact-keywords.ts";
import { addStrictFormats } from "./formats.ts";
import type { Json, JsonSchema } from "./json-schema.ts";
import { forEachSubschema, isAnnotation, isKnown, mapSubschemas } from "./keywords.ts";
import { EndlessPattern, matcherOf } from "./pattern-match.ts";
import { type Components, parseReference } from "./resolve-reference.ts";
import { isAnything } from "./schema-node.ts";

/** Where and how a value departs from a schema. */
export interface Violation {
  /** JSON Pointer to the value, or to the member that is missing or not wanted. */
  readonly pointer: string;
  readonly keyword: string;
  readonly message: string;
}

export interface Validator {
  /** Every violation of a value, not just the first; none when it is valid. */
  compile(schema: JsonSchema): (value: unknown) => readonly Violation[];
  /** The same question, answered with yes or no. */
  accepts(schema: JsonSchema): (value: unknown) => boolean;
}

/** A schema that no validator can be made of: unknown keyword or format, malformed keyword, broken reference. */
export class UnusableSchema extends Error {
  override readonly name = "UnusableSchema";
}

const known = new WeakMap<Components, Validator>();

/**
 * A validator for schemas whose `#/components/schemas/…` references point into `components`. Unknown keywords and
 * formats are errors, annotations of OpenAPI are not. Equal components (by identity) share one validator, which
 * compiles each component and each schema once.
 */
export function validatorFor(components: Components): Validator {
  const existing = known.get(components);
  if (existing) return existing;
  const made = createValidator(components);
  known.set(components, made);
  return made;
}

function createValidator(components: Components): Validator {
  let made: Compile | null = null;
  const compiled = (schema: JsonSchema): Validate => {
    made ??= engine(components);
    return made(schema);
  };
  return {
    compile(schema) {
      const validate = compiled(schema);
      return (value) => (run(validate, value) ? [] : (validate.errors ?? []).filter(isOwn).map(violationOf));
    },
    accepts(schema) {
      const validate = compiled(schema);
      return (value) => run(validate, value);
    },
  };
}

/** Tells whether a value is valid, and holds what is wrong with the last one. */
type Validate = ((value: unknown) => boolean) & { errors?: ErrorObject[] | null };

/** The same of a part of a value, told where that stands. */
type Follow = ((value: unknown, context?: DataValidationCxt) => boolean) & { errors?: ErrorObject[] };

type Compile = (schema: JsonSchema) => Validate;

/** Documents' patterns are run by what ends whatever they are. Code is never written out, so it needs no name there. */
const regExp = Object.assign((pattern: string) => matcherOf(pattern), { code: "matcherOf" });

/** Options and keywords of every engine. */
function createAjv(own: Options): Ajv2020 {
  const ajv = new Ajv2020({
    // Not only to find them all: stopping at the first, Ajv 8 overlooks a missing item of "contains" beside "prefixItems".
    allErrors: true,
    // Strictness is ours (below): Ajv's also refuses lawful schemas that it finds odd.
    strict: false,
    strictNumbers: true,
    // Else an inherited "constructor" would count as a member.
    ownProperties: true,
    logger: false,
    ...own,
    code: { ...own.code, regExp },
  });
  addStrictFormats(ajv);
  replaceInexactKeywords(ajv);
  return ajv;
}

let schemaOfSchemas: Ajv2020 | null = null;

/** One engine looks at the schemas of all: the schema of schemas takes long to compile. */
function forSchemas(): Ajv2020 {
  schemaOfSchemas ??= createAjv({});
  return schemaOfSchemas;
}

const usable = (schema: JsonSchema, place: string): JsonSchema =>
  portable(schema, place, (format) => format in forSchemas().formats);

/** Schemas that one Ajv compiles, which keeps them; then another takes over, and it can be let go. */
const mostOfOneAjv = 1_000;

/** The same of components that it compiles one by one: values come to them again and again, so they are kept longer. */
const mostComponentsOfOneAjv = 2_500;

function engine(components: Components): Compile {
  const parts = new Map(
    Object.entries(components).map(([name, schema]) => [componentUri(name), usable(schema, `component ${name}`)]),
  );
  const isLazy = parts.size > mostCompiledAtOnce && ![...parts.values()].some(speaksOfUnevaluated);
  const whole = renewed(() => compilerOf(parts));
  if (!isLazy) return whole;
  const lazy = renewed(() => lazyCompilerOf(parts));
  return (schema) => (speaksOfUnevaluated(schema) ? whole(schema) : lazy(schema));
}

/** What one Ajv does: compiles a schema, and tells when it has compiled enough. */
interface Compiler {
  readonly compile: Compile;
  readonly isFull: () => boolean;
}

/** Compiles each schema once for as long as its Ajv is there. */
function renewed(create: () => Compiler): Compile {
  let compiler: Compiler | null = null;
  let bySchema = new WeakMap<JsonSchema, Validate>();
  let byText = new Map<string, Validate>();
  return (schema) => {
    if (compiler === null || compiler.isFull()) {
      compiler = create();
      bySchema = new WeakMap();
      byText = new Map();
    }
    const existing = bySchema.get(schema);
    if (existing !== undefined) return existing;
    const text = JSON.stringify(schema);
    const validate = byText.get(text) ?? compiler.compile(schema);
    bySchema.set(schema, validate);
    byText.set(text, validate);
    return validate;
  };
}

/** The components of a document, ready to use, by their URIs. */
type Parts = ReadonlyMap<string, JsonSchema>;

function compilerOf(parts: Parts): Compiler {
  const ajv = createAjv({ meta: false, validateSchema: false });
  let count = 0;
  for (const [uri, schema] of parts) ajv.addSchema(schema, uri, undefined, false);
  return {
    compile(schema) {
      count += 1;
      return compiledBy(ajv, usable(schema, "the schema"));
    },
    isFull: () => count >= mostOfOneAjv,
  };
}

/**
 * Components that are compiled together with what refers to them. Of more, each is compiled when a value first comes to
 * it: most values meet few, and Ajv's compiler goes as deep as references lead.
 */
const mostCompiledAtOnce = 100;

const lazyReference = "componentReference";

/** References are followed when a value comes to them. What they mark as evaluated is not told to others. */
function lazyCompilerOf(parts: Parts): Compiler {
  // To optimize what is compiled takes a third of the time, and most of it runs a few times.
  const ajv = createAjv({ meta: false, validateSchema: false, code: { optimize: false } });
  const added = new Set<string>();
  const targetOf = (uri: string): ValidateFunction => {
    const [base = ""] = uri.split("#");
    const part = parts.get(base);
    if (part !== undefined && !added.has(base)) {
      added.add(base);
      ajv.addSchema(lazily(part), base, undefined, false);
    }
    const found = ajv.getSchema(uri);
    if (found === undefined) throw new UnusableSchema(`$ref "${uri}" names no component schema.`);
    return found;
  };
  // One for each component: Ajv keeps whatever a schema was compiled with.
  const known = new Map<string, Follow>();
  const followed = (uri: string): Follow => {
    const made = known.get(uri);
    if (made !== undefined) return made;
    let target: ValidateFunction | null = null;
    const follow: Follow = (value, context) => {
      target ??= targetOf(uri);
      const isValid = target(value, context);
      follow.errors = target.errors ?? [];
      return isValid;
    };
    known.set(uri, follow);
    return follow;
  };
  ajv.addKeyword({ keyword: lazyReference, schemaType: "string", errors: "full", compile: followed });
  let count = 0;
  return {
    compile(schema) {
      const own = lazily(usable(schema, "the schema"));
      const { [lazyReference]: uri, ...beside } = own;
      if (typeof uri === "string" && isAnything(beside)) return followed(uri);
      count += 1;
      return compiledBy(ajv, own);
    },
    isFull: () => count >= mostOfOneAjv || added.size >= mostComponentsOfOneAjv,
  };
}

const lazily = (schema: JsonSchema): JsonSchema => {
  const inner = mapSubschemas(schema, lazily);
  if (typeof inner.$ref !== "string") return inner;
  const { $ref, ...beside } = inner;
  return { ...beside, [lazyReference]: $ref };
};

function speaksOfUnevaluated(schema: JsonSchema): boolean {
  let found = schema.unevaluatedProperties !== undefined || schema.unevaluatedItems !== undefined;
  forEachSubschema(schema, (inner) => {
    found ||= speaksOfUnevaluated(inner);
  });
  return found;
}

function compiledBy(ajv: Ajv2020, schema: JsonSchema): ValidateFunction {
  try {
    // Throws where a keyword is malformed.
    forSchemas().validateSchema(schema, true);
    return ajv.compile(schema);
  } catch (error) {
    throw new UnusableSchema(`This schema can't be used: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    // Ajv would keep every schema for ever.
    ajv.removeSchema(schema);
  }
}

function run(validate: Validate, value: unknown): boolean {
  try {
    return validate(value);
  } catch (error) {
    if (error instanceof EndlessPattern) throw new UnusableSchema(error.message);
    // Ajv 8 fails on a value that matches no branch of a union beside "patternProperties" and "unevaluatedProperties".
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnusableSchema(`This schema can't be applied: ${reason}. Say it without "unevaluatedProperties".`);
  }
}

const componentUri = (name: string): string => `component:/${encodeURIComponent(name)}`;

/**
 * The schema without annotations, its references made absolute, so that every component is compiled only once.
 * Throws on a keyword or format that is not known: it would be ignored, and so refuse nothing.
 */
function portable(schema: JsonSchema, place: string, isFormat: (format: string) => boolean): JsonSchema {
  const kept = Object.entries(schema)
    .filter(([keyword]) => !isAnnotation(keyword))
    .map(([keyword, json]): [string, Json] => {
      if (!isKnown(keyword)) {
        throw new UnusableSchema(`Unknown keyword "${keyword}" in ${place}. Correct it, or begin its name with "x-".`);
      }
      if (keyword === "format" && typeof json === "string" && !isFormat(json)) {
        throw new UnusableSchema(`Unknown format "${json}" in ${place}. Correct it, or say it as a pattern.`);
      }
      return [keyword, keyword === "$ref" && typeof json === "string" ? absolute(json) : json];
    });
  return mapSubschemas(Object.fromEntries(kept), (inner, keyword) => portable(inner, `${place}, ${keyword}`, isFormat));
}

function absolute(reference: string): string {
  const { component, path } = parseReference(reference);
  const inside = path.map((token) => `/${encodeURIComponent(token.replaceAll("~", "~0").replaceAll("/", "~1"))}`);
  return `${componentUri(component)}${inside.length > 0 ? `#${inside.join("")}` : ""}`;
}

/** What a name breaks is told once, as `propertyNames` of the member that bears it. */
const isOwn = (error: ErrorObject): boolean => error.propertyName === undefined;

function violationOf(error: ErrorObject): Violation {
  const member = memberIn(error);
  const pointer = member === undefined ? error.instancePath : `${error.instancePath}/${escapeToken(member)}`;
  return { pointer, keyword: error.keyword, message: error.message ?? `breaks "${error.keyword}"` };
}

/** The member that a violation of an object is about. */
function memberIn({ keyword, params }: ErrorObject): string | undefined {
  switch (keyword) {
    case "required":
    case "dependentRequired":
      return String(params.missingProperty);
    case "additionalProperties":
      return String(params.additionalProperty);
    case "unevaluatedProperties":
      return String(params.unevaluatedProperty);
    case "propertyNames":
      return String(params.propertyName);
    default:
      return undefined;
  }
}

/** A member's name as one token of a JSON Pointer (RFC 6901). */
export const escapeToken = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");
