import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Json, JsonSchema } from "../../generated/runtime/json.ts";
import type { OperationSchemas } from "../../generated/runtime/operation.ts";
import { components } from "../../generated/schemas.ts";

/** One value that breaks one constraint. */
export interface Violation {
  /** JSON Pointer to the value, or to where a missing one should be. */
  readonly pointer: string;
  readonly keyword: string;
  /** What is wanted of it, to go after its name: "must be a UUID". */
  readonly says: string;
}

/** Every constraint that the value breaks. Fills in the defaults of the contract. */
export type Validator = (value: unknown) => readonly Violation[];

export interface OperationValidators {
  readonly path: Validator | null;
  readonly query: Validator | null;
  readonly headers: Validator | null;
  readonly body: Validator | null;
  /** For a value of more than `thoroughBytes`: stops at the first violation. */
  readonly largeBody: Validator | null;
  readonly answer: Validator;
}

/** Bytes of a body up to which every violation is looked for; a larger one could have a million. */
export const thoroughBytes = 64 * 1024;

const componentsId = "contract:components";

/** How far requests may depart from the contract's schemas. */
export interface Leniency {
  readonly unknownFields: "ignored" | "refused";
}

/** What validates against the schemas of an operation and the components of the contract. */
export function validatorsOf(schemas: OperationSchemas, leniency: Leniency): OperationValidators {
  const body = closed(narrowed(schemas), leniency);
  const { path, query, headers, answer } = schemas;
  return {
    path: path && late(requests, path),
    query: query && late(requests, closed(query, leniency)),
    headers: headers && late(requests, headers),
    body: body && late(requests, body),
    largeBody: body && late(largeRequests, body),
    answer: late(answers, answer),
  };
}

type Compile = (schema: JsonSchema) => Validator;

const requests = compiler({ allErrors: true, useDefaults: true });
const largeRequests = compiler({ allErrors: false, useDefaults: true });
const answers = compiler({ allErrors: true, useDefaults: false });

/** Compiles each schema once, whichever server of this process asks for it. */
function compiler(options: EngineOptions): Compile {
  let ajv: Ajv2020 | null = null;
  const compiled = new Map<string, Validator>();
  return (schema) => {
    const text = JSON.stringify(schema);
    ajv ??= engine(options);
    const validate = compiled.get(text) ?? compile(ajv, schema);
    compiled.set(text, validate);
    return validate;
  };
}

interface EngineOptions {
  readonly allErrors: boolean;
  readonly useDefaults: boolean;
}

function engine(options: EngineOptions): Ajv2020 {
  const ajv = new Ajv2020({
    ...options,
    ownProperties: true,
    strict: false,
    logger: false,
    // The compiler wrote the schemas; to compile the schema of schemas takes longer than most of them.
    meta: false,
    validateSchema: false,
  });
  addFormats.default(ajv);
  // The package's own takes a URN for one too.
  ajv.addFormat("uuid", /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i);
  // Ajv's own compares every pair of items, which a body of a hundred thousand of them makes too slow.
  ajv.removeKeyword("uniqueItems");
  ajv.addKeyword({ keyword: "uniqueItems", type: "array", schemaType: "boolean", validate: areUnique });
  ajv.addSchema({ $id: componentsId, components: { schemas: components } });
  return ajv;
}

function areUnique(wanted: boolean, items: readonly unknown[]): boolean {
  return !wanted || new Set(items.map(canonical)).size === items.length;
}

/** JSON with the members of every object in order of their names. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}

function narrowed(schemas: OperationSchemas): JsonSchema | null {
  if (schemas.body === null || schemas.referenceBody === null) return schemas.body;
  return { allOf: [schemas.body, schemas.referenceBody] };
}

const closed = <Schema extends JsonSchema | null>(schema: Schema, { unknownFields }: Leniency): Schema | JsonSchema =>
  schema === null || unknownFields === "ignored" ? schema : { allOf: [schema], unevaluatedProperties: false };

function compile(ajv: Ajv2020, schema: JsonSchema): Validator {
  const validate: ValidateFunction = ajv.compile(pointedAtComponents(schema));
  return (value) => (validate(value) ? [] : (validate.errors ?? []).map(violationOf));
}

/** Compiles with the first value: to compile all of them takes longer than all else at the start of a server. */
function late(compileNow: Compile, schema: JsonSchema): Validator {
  let validate: Validator | null = null;
  return (value) => {
    validate ??= compileNow(schema);
    return validate(value);
  };
}

/** The schema with its references to components made absolute, so that each component is compiled once. */
function pointedAtComponents(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, absolute(name, part)]));
}

function absolute(name: string, part: Json): Json {
  if (name === "$ref" && typeof part === "string") return `${componentsId}${part}`;
  if (isList(part)) return part.map((item) => absolute("", item));
  return typeof part === "object" && part !== null ? pointedAtComponents(part) : part;
}

const isList = (part: Json): part is readonly Json[] => Array.isArray(part);

function violationOf(error: ErrorObject): Violation {
  const property: unknown = error.params.missingProperty ?? error.params.unevaluatedProperty;
  const below = property === undefined ? "" : `/${escaped(String(property))}`;
  return { pointer: error.instancePath + below, keyword: error.keyword, says: explain(error) };
}

const escaped = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");

function explain({ keyword, params, message }: ErrorObject): string {
  switch (keyword) {
    case "required":
      return "is required";
    case "unevaluatedProperties":
      return "is not known";
    case "type":
      return `must be ${withArticle(String(params.type))}`;
    case "format":
      return `must be a valid ${String(params.format)}`;
    case "enum":
      return `must be one of ${(Array.isArray(params.allowedValues) ? params.allowedValues : []).join(", ")}`;
    case "uniqueItems":
      return "must not hold the same item twice";
    case "minItems":
      return `must hold at least ${String(params.limit)} item(s)`;
    case "minLength":
      return `must have at least ${String(params.limit)} character(s)`;
    case "maxLength":
      return `must have at most ${String(params.limit)} characters`;
    case "pattern":
      return `must match ${String(params.pattern)}`;
    default:
      return message ?? `breaks ${keyword}`;
  }
}

const withArticle = (type: string): string => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`);
