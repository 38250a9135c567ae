import {
  getDoc,
  getPagingOperation,
  type Interface,
  ignoreDiagnostics,
  isList,
  type ModelProperty,
  type Namespace,
  type Operation as OperationType,
  type Type,
} from "@typespec/compiler";
import { getQueryParamName, type HttpOperation } from "@typespec/http";
import { getOperationId } from "@typespec/openapi";
import type { DrawFacts } from "../../spec/vocabulary/facts.ts";
import type { Declared } from "../../spec/vocabulary/vocabulary.ts";
import { changesByMethod } from "../changes-by-method.ts";
import type { Continuation, Draw, Method, Narrowing, Operation, OptionalRefusal, Refusal } from "../contract.ts";
import { propertiesOf, sources, variantsOf } from "./model-facts.ts";
import type { ReadService } from "./read-services.ts";
import type { SpecSource } from "./spec-source.ts";
import { readSuccessAnswer } from "./success-answer.ts";

const methods: readonly Method[] = ["get", "post", "put", "patch", "delete"];

/** Reads one operation of a service; null, with a problem, when its method is none of ours. */
export function readOperation(source: SpecSource, service: ReadService, http: HttpOperation): Operation | null {
  const type = http.operation;
  const { vocabulary: v, program } = source;
  const method = methods.find((one) => one === http.verb);
  if (method === undefined) {
    source.fault("method", `${type.name} has the method ${http.verb}.`, `Use one of ${methods.join(", ")}.`, type);
    return null;
  }
  const rows = [...variantsOf(type.returnType)].filter((t) => v.errorRows.has(t));
  const bodyType = http.parameters.body?.type;
  const whole = http.parameters.body?.property;
  const body: (readonly [string, ModelProperty])[] = [
    ...(whole ? [["", whole] as const] : []),
    ...(bodyType ? propertiesOf(bodyType) : []),
  ];
  const reference = v.referenceStatuses.get(type)?.value;
  const { allowed, payload, secrets } = readSuccessAnswer(source, http);
  const list = isList(program, type);
  const pageSize = list ? pageSizeOf(source, http) : null;
  return {
    id: getOperationId(program, type) ?? type.name,
    service: service.name,
    resource:
      (service.main ? "" : `${service.name}-`) + kebab(type.interface?.name ?? type.namespace?.name ?? service.name),
    method,
    path: http.path,
    summary: getDoc(program, type) ?? "",
    scope: String(v.operationScopes.get(type)?.value.scope.value ?? "") || null,
    scopeQuestion: v.operationScopes.get(type)?.value.open ?? null,
    scopeExemption: v.scopeExemptions.get(type)?.value ?? null,
    caller: callerOf(source, type),
    callerQuestion: v.openCallers.get(type) ?? null,
    draws: (v.draws.get(type) ?? []).map((declared) => drawOf(source, declared, bodyType, rows)),
    changes: v.changes.get(type) ?? changesByMethod[method],
    idempotencyHeader: v.idempotent.get(type) ?? null,
    list,
    listQuestion: v.openLists.get(type) ?? null,
    pageSize: pageSize === null ? null : (getQueryParamName(program, pageSize) ?? pageSize.name),
    pageSizeQuestion: pageSize === null ? null : questionOn(source, pageSize),
    continuation: list ? continuationOf(source, http, payload) : null,
    payload,
    success: {
      allowed,
      reference: reference?.status ?? (allowed === "2XX" ? 200 : allowed),
      question: reference?.question ?? null,
    },
    errors: rows.map((row) => row.name),
    shortages: shortagesOf(source, rows),
    refusals: body.flatMap(([pointer, property]) => refusalsOf(source, pointer, property)),
    optionalRefusals: body.flatMap(([pointer, property]) => optionalRefusalsOf(source, pointer, property)),
    narrowings: body.flatMap(([pointer, property]) => narrowingsOf(source, pointer, property)),
    secrets,
    place: source.place(type),
  };
}

/** What the rows of an operation tell there is too little of, each once. */
function shortagesOf({ vocabulary }: SpecSource, rows: readonly Type[]): Operation["shortages"] {
  const told = rows.flatMap((row) =>
    row.kind === "Model" ? (vocabulary.errorRows.get(row)?.value.shortOf ?? []) : [],
  );
  return [...new Set(told)];
}

/** Who may call an operation, by the innermost declaration around it that says so. */
function callerOf({ vocabulary }: SpecSource, type: OperationType): string | null {
  const around: (OperationType | Interface | Namespace)[] = [type];
  if (type.interface !== undefined) around.push(type.interface);
  for (let at = type.interface?.namespace ?? type.namespace; at; at = at.namespace) around.push(at);
  for (const one of around) {
    const member = vocabulary.calledBy.get(one);
    if (member !== undefined) return String(member.value ?? member.name);
  }
  return null;
}

/** What a call draws, where the named array is one of the body's. */
function drawOf(
  source: SpecSource,
  { at, value }: Declared<DrawFacts>,
  body: Type | undefined,
  rows: readonly Type[],
): Draw {
  const { bucket, records, tooMany } = value;
  const refuse = (message: string, fix: string): void => source.fault("draws", message, fix, at);
  if (records !== null) {
    const property = body?.kind === "Model" ? body.properties.get(records) : undefined;
    const isArray = property?.type.kind === "Model" && property.type.name === "Array";
    if (!isArray) refuse(`The body has no array "${records}" to count.`, "Name an array of the body's first level.");
    if (source.vocabulary.buckets.get(bucket)?.value.unit !== "record") {
      refuse(`The bucket ${bucket.name} counts requests.`, 'Give it the unit "record", or leave the array out.');
    }
    if (tooMany === null || !rows.includes(tooMany))
      refuse(
        `Which row of the operation refuses more of "${records}" than ${bucket.name} ever holds is not said.`,
        "Name it behind the array, and among what the operation returns.",
      );
  }
  return { bucket: bucket.name, records: records === null ? null : `/${records}`, tooMany: tooMany?.name ?? null };
}

/** The query parameter that says how much a page holds. */
const pageSizeOf = ({ program }: SpecSource, { operation }: HttpOperation): ModelProperty | null =>
  ignoreDiagnostics(getPagingOperation(program, operation))?.input.pageSize?.property ?? null;

/** How the next page is asked for, as clients see it, who get the payload; null where that holds no cursor. */
function continuationOf(
  { program }: SpecSource,
  { operation }: HttpOperation,
  payload: readonly string[],
): Continuation | null {
  const paging = ignoreDiagnostics(getPagingOperation(program, operation));
  const [taken, given] = [paging?.input.continuationToken?.property, paging?.output.continuationToken?.path];
  const parameter = taken === undefined ? undefined : getQueryParamName(program, taken);
  const names = given?.map(({ name }) => name) ?? [];
  if (parameter === undefined || names.length === 0) return null;
  const [first = ""] = names;
  if (payload.length > 0 && !payload.includes(first)) return null;
  const inPayload = payload.length === 1 ? names.slice(1) : names;
  return inPayload.length === 0 ? null : { parameter, pointer: inPayload.map((name) => `/${name}`).join("") };
}

/** The open question that a property raises itself. */
const questionOn = ({ vocabulary }: SpecSource, property: ModelProperty): string | null =>
  vocabulary.questions.find(({ target }) => sources(property).some((one) => one === target))?.value.id ?? null;

function refusalsOf({ vocabulary }: SpecSource, pointer: string, property: ModelProperty): Refusal[] {
  const declared = sources(property).flatMap((p) => vocabulary.refusals.get(p) ?? []);
  return declared.map(({ value }) => ({ pointer, keywords: value.keywords, row: value.row.name }));
}

function optionalRefusalsOf({ vocabulary }: SpecSource, pointer: string, property: ModelProperty): OptionalRefusal[] {
  return sources(property).flatMap((p) => {
    const declared = vocabulary.optionalRefusals.get(p);
    return declared ? [{ pointer, ...declared.value }] : [];
  });
}

function narrowingsOf({ vocabulary }: SpecSource, pointer: string, property: ModelProperty): Narrowing[] {
  return sources(property).flatMap((p) => {
    const declared = vocabulary.narrowings.get(p);
    if (!declared) return [];
    const { question, requiredBy = null, required = requiredBy !== null, ...schema } = declared.value;
    return [{ pointer, question, required, requiredBy, schema }];
  });
}

const kebab = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, "$1-$2").toLowerCase();
