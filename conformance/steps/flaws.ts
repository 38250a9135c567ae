import { randomUUID } from "node:crypto";
import { resolveReference } from "../../compiler/schema/resolve-reference.ts";
import type { ErrorRowName } from "../../generated/error-rows.ts";
import { components, operationSchemas } from "../../generated/schemas.ts";
import type { CallInput } from "../context/context.ts";
import type { ApiOperation } from "../context/for-each-operation.ts";

type Schema = Parameters<typeof resolveReference>[1][string];

/** Path parameters that are ids of records: the schema makes them UUIDs. */
export const recordIds = ({ id }: ApiOperation): readonly string[] => namesOf(operationSchemas[id].path, isUuid);

/** Whether the contract says that this row may answer the operation. */
export const declares = ({ errors }: ApiOperation, row: ErrorRowName): boolean => errors.includes(row);

/** Whether the operation takes a body. */
export const takesBody = ({ id }: ApiOperation): boolean => operationSchemas[id].body !== null;

/** Returns true if the contract's body has a required property. */
export function requiresProperty({ id }: ApiOperation): boolean {
  const { body } = operationSchemas[id];
  const required = body === null ? undefined : resolved(body).required;
  return Array.isArray(required) && required.length > 0;
}

/** The same call of a record that never was; null for an operation on no record. */
export function onUnknownRecord(operation: ApiOperation, sound: CallInput): CallInput | null {
  const names = recordIds(operation);
  return names.length === 0 ? null : { ...sound, path: { ...sound.path, ...valuesOf(names, randomUUID) } };
}

/** The same call with a body that is broken, lacks what is required or has a member of another type; none without a body. */
export function withInvalidBodies(operation: ApiOperation, sound: CallInput): readonly CallInput[] {
  const { body } = operationSchemas[operation.id];
  if (body === null) return [];
  const { body: own, ...rest } = sound;
  const wrongType = namesOf(resolved(body), ({ type }) => type === "string" || type === "array");
  return [
    { ...rest, rawBody: "{" },
    ...(requiresProperty(operation) ? [{ ...rest, body: {} }] : []),
    ...wrongType.map((name) => ({ ...rest, body: { ...(isObject(own) ? own : {}), [name]: {} } })),
  ];
}

/** The same call with one defect each that the schemas of its path, query and body rule out, and of an unknown record. */
export function withFlaws(operation: ApiOperation, sound: CallInput): readonly CallInput[] {
  const unknown = onUnknownRecord(operation, sound);
  return [
    ...recordIds(operation).map((name) => ({ ...sound, path: { ...sound.path, [name]: "not-a-uuid" } })),
    ...(unknown === null ? [] : [unknown]),
    ...namesOf(operationSchemas[operation.id].query, isNoPlainText).map((name) => ({
      ...sound,
      query: { ...sound.query, [name]: "bylaw none" },
    })),
    ...withInvalidBodies(operation, sound),
  ];
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

const valuesOf = (names: readonly string[], make: () => string): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, make()]));

const isUuid = ({ format }: Schema): boolean => format === "uuid";

/** Whether there are texts that the schema rules out. */
const isNoPlainText = ({ type, format, enum: values }: Schema): boolean =>
  type !== "string" || format !== undefined || values !== undefined;

function namesOf(parameters: Schema | null, is: (schema: Schema) => boolean): readonly string[] {
  const properties: unknown = parameters?.properties ?? {};
  return typeof properties !== "object" || properties === null
    ? []
    : Object.entries(properties).flatMap(([name, schema]) => (is(resolved(schema)) ? [name] : []));
}

function resolved(schema: Schema): Schema {
  return typeof schema.$ref === "string" ? resolved(resolveReference(schema.$ref, components)) : schema;
}
