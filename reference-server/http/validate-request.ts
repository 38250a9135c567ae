import { type ErrorRowName, errorRows, refuse } from "../../generated/error-rows.ts";
import type { Operation } from "../../generated/runtime/operation.ts";
import { Refusal } from "../../generated/runtime/refusal.ts";
import { type Exchange, routeOf } from "./exchange.ts";
import { fieldDetails } from "./field-details.ts";
import { bodyLimit, readBody } from "./read-body.ts";
import { queryParameters, typed } from "./request-parameters.ts";
import { serviceRows } from "./service-rows.ts";
import { thoroughBytes, type Violation } from "./validation.ts";

/** 400 for a path parameter that its schema does not allow. */
export function path<Caller>(exchange: Exchange<Caller>): Refusal | null {
  const { operation, schemas, validators } = routeOf(exchange);
  if (schemas.path === null || validators.path === null) return null;
  const values = typed(Object.entries(exchange.request.params), schemas.path);
  const violations = validators.path(values);
  if (violations.length > 0)
    return serviceRows[operation.service].path("A path parameter is malformed.", fieldDetails(violations, "path"));
  exchange.input.path = values;
  return null;
}

/** 422 for query and body, unless the contract has another row for what is wrong, or the body is not JSON at all. */
export async function bodyAndQuery<Caller>(exchange: Exchange<Caller>): Promise<Refusal | null> {
  const query = checkQuery(exchange);
  const body = await checkBody(exchange);
  if (body instanceof Refusal) return body;
  const violations = [...query, ...body];
  if (violations.length === 0) return null;
  const { operation } = routeOf(exchange);
  const row = specialRow(operation, body);
  if (row !== null) return new Refusal(row, structureMessage(body, operation));
  return serviceRows[operation.service].fields("The request has invalid fields.", fieldDetails(violations, "body"));
}

function checkQuery<Caller>(exchange: Exchange<Caller>): readonly Violation[] {
  const { schemas, validators } = routeOf(exchange);
  if (schemas.query === null || validators.query === null) return [];
  const [, search = ""] = /\?(.*)$/s.exec(exchange.request.url) ?? [];
  exchange.input.query = queryParameters(search, schemas.query);
  return validators.query(exchange.input.query);
}

async function checkBody<Caller>(exchange: Exchange<Caller>): Promise<Refusal | readonly Violation[]> {
  const { operation, schemas, validators } = routeOf(exchange);
  if (validators.body === null || validators.largeBody === null) return [];
  const body = await readBody(exchange.request);
  switch (body.kind) {
    case "absent":
      return schemas.bodyRequired ? [{ pointer: "", keyword: "required", says: "is required" }] : [];
    case "json":
      exchange.input.body = body.value;
      return body.bytes > thoroughBytes ? validators.largeBody(body.value) : validators.body(body.value);
    case "wrong-media-type":
      return refuse.UnsupportedMediaType("Send the body as application/json in UTF-8, not compressed.");
    case "too-large":
      return refuse.PayloadTooLarge(`The body is larger than ${bodyLimit} bytes. Send less at once.`);
    case "not-json":
      return serviceRows[operation.service].notJson(body.why);
  }
}

/** The row that the contract has for the first violation that is no plain field error. */
function specialRow(operation: Operation, violations: readonly Violation[]): ErrorRowName | null {
  for (const violation of violations) {
    const row = specialRowOf(operation, violation);
    if (row !== null) return row;
  }
  return null;
}

function specialRowOf(operation: Operation, { pointer, keyword }: Violation): ErrorRowName | null {
  const refusal = operation.refusals.find(
    (at) => at.keywords.includes(keyword) && (pointer === at.pointer || pointer.startsWith(`${at.pointer}/`)),
  );
  if (refusal === undefined) return null;
  if (Object.hasOwn(errorRows, refusal.row)) return refusal.row as ErrorRowName;
  throw new Error(`${operation.id} refuses ${pointer} with ${refusal.row}, which the catalog does not have.`);
}

function structureMessage(violations: readonly Violation[], operation: Operation): string {
  const special = violations.filter((violation) => specialRowOf(operation, violation) !== null);
  const fields = Object.entries(fieldDetails(special, "body")).map(([field, says]) => `${field} ${says}`);
  return `The request is not valid: ${fields.slice(0, 5).join(", ")}.`;
}
