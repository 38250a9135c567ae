import {
  getDeprecated,
  getDoc,
  getFormat,
  getMaxItems,
  getMaxLength,
  getPattern,
  getSummary,
  isArrayModelType,
  listServices,
  type ModelProperty,
  type Operation,
  type Program,
  type Type,
} from "@typespec/compiler";
import { getHttpService, type HttpOperation } from "@typespec/http";
import { getUniqueItems } from "@typespec/json-schema";
import { $lib } from "./library.ts";
import { type Vocabulary, vocabularyOf } from "./vocabulary.ts";

/**
 * Warns of what a declaration lacks, or is there in vain. They are diagnostics of TypeSpec: editors show them, and a
 * `#suppress` with its reason takes one back. They are no rules of a `$linter`: those say nothing until a `tspconfig.yaml`
 * names them, and whoever imports the vocabulary should see these.
 */
export function lintDeclarations(program: Program): void {
  const vocabulary = vocabularyOf(program);
  for (const { type: namespace } of listServices(program)) {
    const [{ operations }] = getHttpService(program, namespace);
    for (const http of operations) {
      warnOfSummary(program, http.operation);
      warnOfName(program, http.operation);
      warnOfSunset(program, http.operation);
      if (!vocabulary.forTests.has(namespace)) warnOfUnbounded(program, http, vocabulary);
    }
  }
  warnOfUnused(program, vocabulary);
}

function warnOfSummary(program: Program, operation: Operation): void {
  if (getDoc(program, operation) !== undefined || getSummary(program, operation) !== undefined) return;
  const format = { operation: operation.name };
  $lib.reportDiagnostic(program, { code: "operation-without-summary", format, target: operation });
}

/** Names of operations become names of methods and files. */
function warnOfName(program: Program, operation: Operation): void {
  if (/^[a-z][a-zA-Z0-9]*$/.test(operation.name)) return;
  $lib.reportDiagnostic(program, { code: "operation-name", format: { operation: operation.name }, target: operation });
}

function warnOfSunset(program: Program, operation: Operation): void {
  const deprecated = getDeprecated(program, operation);
  if (deprecated === undefined || /\b\d{4}-\d{2}-\d{2}\b/.test(deprecated)) return;
  const format = { operation: operation.name };
  $lib.reportDiagnostic(program, { code: "deprecation-without-day", format, target: operation });
}

/** A text or list in a body that may be as long as a client likes: the server pays for each of its parts. */
function warnOfUnbounded(program: Program, { operation, parameters }: HttpOperation, vocabulary: Vocabulary): void {
  const body = parameters.body?.type;
  if (body?.kind !== "Model") return;
  const counted = vocabulary.draws.get(operation)?.map(({ value }) => value.records) ?? [];
  for (const property of body.properties.values()) {
    // A bucket of records admits no more than it ever holds.
    if (counted.includes(property.name)) continue;
    // What is demanded of it beyond the document, or refused, is said elsewhere.
    if (vocabulary.narrowings.has(property) || vocabulary.refusals.has(property)) continue;
    if (isBounded(program, property)) continue;
    const format = { operation: operation.name, property: property.name };
    $lib.reportDiagnostic(program, { code: "unbounded-request", format, target: property });
  }
}

function isBounded(program: Program, type: Type): boolean {
  const limits = [getMaxItems, getMaxLength, getPattern, getFormat].map((read) => read(program, type));
  if (limits.some((limit) => limit !== undefined)) return true;
  switch (type.kind) {
    case "ModelProperty":
      return isSetOfMembers(program, type) || isBounded(program, type.type);
    case "Model":
      return !isArrayModelType(type);
    case "Scalar":
      return type.baseScalar === undefined ? type.name !== "string" : isBounded(program, type.baseScalar);
    case "Union":
      return [...type.variants.values()].every((variant) => isBounded(program, variant.type));
    default:
      return true;
  }
}

/** A list without repetitions of members of an enum is no longer than the enum. */
const isSetOfMembers = (program: Program, property: ModelProperty): boolean =>
  property.type.kind === "Model" &&
  property.type.indexer?.value.kind === "Enum" &&
  getUniqueItems(program, property) !== undefined;

/** Scopes and buckets that no operation names. */
function warnOfUnused(program: Program, vocabulary: Vocabulary): void {
  const named = new Set([...vocabulary.operationScopes.values()].map(({ value }) => value.scope));
  const drawn = new Set([...vocabulary.draws.values()].flatMap((all) => all.map(({ value }) => value.bucket)));
  for (const member of vocabulary.scopes.flatMap((scopes) => [...scopes.members.values()])) {
    if (named.has(member)) continue;
    $lib.reportDiagnostic(program, { code: "unused-scope", format: { scope: member.name }, target: member });
  }
  for (const bucket of [...vocabulary.buckets.keys(), ...vocabulary.ladders.keys()]) {
    if (drawn.has(bucket)) continue;
    $lib.reportDiagnostic(program, { code: "unused-bucket", format: { bucket: bucket.name }, target: bucket });
  }
}
