import { readFileSync } from "node:fs";
import { type OperationId, operations } from "../../generated/operations.ts";
import type { Json, JsonSchema } from "../../generated/runtime/json.ts";
import { components, operationSchemas } from "../../generated/schemas.ts";

/** Fields by which the contract calls what the document does not show. */
export interface MappableFields {
  /** Of the request's body, of what is listed in it (`records.*.source`), and its query parameters; empty when it has none. */
  readonly request: readonly string[];
  /** Of the answer's `data`, or of each place where that is a list, and of what is listed in it (`products.*.id`). */
  readonly response: readonly string[];
}

/**
 * Fields of requests that a target may do without: the kit sends them for servers that want to know, and judges nothing
 * by them.
 */
export const dispensableFields: Readonly<Partial<Record<OperationId, readonly string[]>>> = {
  captureConsent: ["source", "captured_at"],
  captureConsentBatch: ["records.*.source", "records.*.captured_at"],
  requestDoubleOptIn: ["source"],
  createHostedForm: ["source", "sender_name"],
};

const { questions } = JSON.parse(readFileSync(new URL("../../generated/contract.json", import.meta.url), "utf8")) as {
  readonly questions: readonly { readonly about: string; readonly kind: string }[];
};

const open: ReadonlySet<string> = new Set(questions.filter(({ kind }) => kind === "shape").map(({ about }) => about));

/**
 * Operations that may lawfully look otherwise, by id: those with an open question about their shape, or about that of
 * the model that they take or answer.
 */
export const mappableFields: Readonly<Record<string, MappableFields>> = Object.fromEntries(
  (Object.keys(operations) as OperationId[]).flatMap((id): readonly (readonly [string, MappableFields])[] => {
    const { body, query, answer } = operationSchemas[id];
    const data = membersOf(answer).get("data");
    const subjects = [id, modelOf(body), modelOf(listed(data) ?? data)];
    if (operations[id].service !== "api" || !subjects.some((subject) => open.has(subject))) return [];
    // Where only what is listed may look otherwise, the list is asked for as every list is.
    const parameters = listed(data) === undefined || open.has(id) ? membersOf(query ?? undefined).keys() : [];
    const fields = { request: [...fieldsOf(body), ...parameters], response: fieldsOf(listed(data) ?? data) };
    // Where nothing is named, there is nothing to map.
    return fields.request.length + fields.response.length === 0 ? [] : [[id, fields]];
  }),
);

/** The members that a schema names, and those of what is listed in one of them. */
function fieldsOf(schema: Json | undefined): readonly string[] {
  return [...membersOf(schema)].flatMap(([name, member]) => [
    name,
    ...[...membersOf(listed(member)).keys()].map((inner) => `${name}.*.${inner}`),
  ]);
}

/** The members that a schema names, with those of all its parts and branches. */
function membersOf(schema: Json | undefined): ReadonlyMap<string, Json> {
  if (!isObject(schema)) return new Map();
  const parts = [schema.allOf, schema.anyOf, schema.oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  const inherited = [components[modelOf(schema)], ...parts].flatMap((part) => [...membersOf(part)]);
  return new Map([...inherited, ...(isObject(schema.properties) ? Object.entries(schema.properties) : [])]);
}

/** What each place of a list has; undefined when it is no list. */
function listed(schema: Json | undefined): Json | undefined {
  return isObject(schema) && schema.type === "array" ? schema.items : undefined;
}

/** Name of the model that a schema refers to; empty when it refers to none. */
function modelOf(schema: Json | undefined): string {
  const reference = isObject(schema) ? schema.$ref : undefined;
  return typeof reference === "string" ? reference.slice("#/components/schemas/".length) : "";
}

function isObject(value: Json | undefined): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
