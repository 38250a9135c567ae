import type { Contract, ErrorRow, Json, JsonSchema, Operation } from "../contract.ts";
import { resolveReference } from "../schema/resolve-reference.ts";
import { schemaMapAt, schemasAt } from "../schema/schema-node.ts";
import { documentOf, serviceOf } from "../service-of.ts";
import { breach, type LintRule } from "./lint-rule.ts";
import { admitsStatus, calledName } from "./rows-of-operation.ts";

/** Every error that an operation documents is a row of the catalog: its code, with a status that the row has. */
export const unknownErrorCode: LintRule = (contract) =>
  contract.operations.flatMap((operation) => {
    const rows = contract.errors.filter((row) => row.service === operation.service);
    return errorsDocumented(contract, operation).flatMap(({ status, code }) => {
      const fault = faultOf(status, code, rows);
      if (fault === null) return [];
      return breach(
        "unknown-error-code",
        operation.place,
        `${calledName(operation)} documents ${fault}`,
        "Declare the pair of status and code as an error row with @errorRow and return that.",
      );
    });
  });

interface DocumentedError {
  /** As OpenAPI writes it: `404`, `4XX` or `default`. */
  readonly status: string;
  /** Null when the schema names no code. */
  readonly code: string | null;
}

function faultOf(status: string, code: string | null, rows: readonly ErrorRow[]): string | null {
  if (code === null) return `an answer ${status} without an error code.`;
  const named = rows.filter((row) => row.code === code);
  if (named.length === 0) return `the error code ${code} with ${status}, which is not in the catalog.`;
  const exact = /^\d{3}$/.test(status);
  if (!exact || named.some((row) => admitsStatus(row, Number(status)))) return null;
  return `the error code ${code} with ${status}, a status that the catalog does not pair it with.`;
}

function errorsDocumented(contract: Contract, operation: Operation): readonly DocumentedError[] {
  const document = documentOf(contract, operation);
  const responses = document.paths[operation.path]?.[operation.method]?.responses ?? {};
  return Object.entries(responses)
    .filter(([status]) => /^[45]|^default$/.test(status))
    .flatMap(([status, { content = {} }]) => {
      const schemas = Object.values(content).map((media) => media.schema);
      if (schemas.length === 0) return [{ status, code: null }];
      const path = serviceOf(contract, operation.service).envelope.code.split("/").slice(1);
      const codes = schemas.flatMap((schema) => codesOf(schema, path, document.components.schemas, new Set()));
      return codes.map((code) => ({ status, code }));
    });
}

/** The codes that an error answer may have at a path of names, one `null` for each alternative that names none. */
function codesOf(
  schema: JsonSchema,
  path: readonly string[],
  components: Readonly<Record<string, JsonSchema>>,
  above: ReadonlySet<string>,
): readonly (string | null)[] {
  const reference = schema.$ref;
  if (typeof reference === "string") {
    if (above.has(reference)) return [];
    return codesOf(resolveReference(reference, components), path, components, new Set([...above, reference]));
  }
  const alternatives = [...schemasAt(schema, "anyOf"), ...schemasAt(schema, "oneOf")];
  if (alternatives.length > 0) return alternatives.flatMap((part) => codesOf(part, path, components, above));
  const own = literalsAt(schema, path, components);
  if (own.length > 0) return own;
  const parts = schemasAt(schema, "allOf").flatMap((part) => codesOf(part, path, components, above));
  const named = parts.filter((code) => code !== null);
  return named.length > 0 ? named : [null];
}

/** The literals that a schema allows at a path of names. */
function literalsAt(
  schema: JsonSchema,
  path: readonly string[],
  components: Readonly<Record<string, JsonSchema>>,
): readonly string[] {
  const target = typeof schema.$ref === "string" ? resolveReference(schema.$ref, components) : schema;
  const [name, ...rest] = path;
  if (name === undefined) {
    const literal: Json | undefined = target.const;
    const values = Array.isArray(target.enum) ? target.enum : literal === undefined ? [] : [literal];
    return values.filter((value: Json) => typeof value === "string");
  }
  const inherited = schemasAt(target, "allOf").flatMap((part) => literalsAt(part, path, components));
  const member = schemaMapAt(target, "properties").get(name);
  return [...(member === undefined ? [] : literalsAt(member, rest, components)), ...inherited];
}
