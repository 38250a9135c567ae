import type { Choices } from "../../generated/choices.ts";
import { type ErrorRowName, errorRows } from "../../generated/error-rows.ts";
import type { Operation } from "../../generated/runtime/operation.ts";
import { Refusal } from "../../generated/runtime/refusal.ts";
import { chosen } from "./chosen.ts";
import { type Exchange, routeOf, type Step } from "./exchange.ts";
import { type FieldFault, type FieldNaming, fieldDetails } from "./field-details.ts";
import { bodyLimit, readBody } from "./read-body.ts";
import { queryParameters, typed } from "./request-parameters.ts";
import type { ServiceRows } from "./service-rows.ts";
import { thoroughBytes, type Violation } from "./validation.ts";

/** A body value at `pointer` or below that breaks one of `keywords` is refused with `row`. */
export type FieldRefusal = Operation["refusals"][number];

export interface RequestValidation {
  readonly rows: ServiceRows;
  readonly naming: FieldNaming;
  readonly refusals: (operation: Operation) => readonly FieldRefusal[];
}

/** Refuses a path parameter that its schema does not allow. */
export function path<Caller>({ rows, naming }: RequestValidation): Step<Caller> {
  return function path(exchange) {
    const { operation, schemas, validators } = routeOf(exchange);
    if (schemas.path === null || validators.path === null) return null;
    const values = typed(Object.entries(exchange.parameters), schemas.path);
    const violations = validators.path(values);
    if (violations.length > 0) return rows.path(operation, fieldDetails(violations, naming));
    exchange.input.path = values;
    return null;
  };
}

/** Refuses query, headers and body that their schemas do not allow, with the row that the contract has for what is wrong. */
export function bodyAndQuery<Caller>({ rows, naming, refusals }: RequestValidation): Step<Caller> {
  return function bodyAndQuery(exchange) {
    const { query, headers, body } = routeOf(exchange).validators;
    return query === null && headers === null && body === null ? null : check(exchange);
  };

  async function check(exchange: Exchange<Caller>): Promise<Refusal | null> {
    const query = [...checkQuery(exchange), ...checkHeaders(exchange)];
    const body = await checkBody(exchange, rows);
    if (body instanceof Refusal) return body;
    const violations = [...query, ...body];
    if (violations.length === 0) return null;
    const special = refusals(routeOf(exchange).operation).find((refusal) => body.some((at) => concerns(refusal, at)));
    if (special === undefined) return rows.fields(fieldDetails(violations, naming));
    return rowRefusal(
      special.row,
      body.filter((violation) => concerns(special, violation)),
      naming,
    );
  }
}

/** What the choices make of fields for which the contract leaves the row open. */
export function chosenRefusals(choices: Choices, operation: Operation): readonly FieldRefusal[] {
  const optional = operation.optionalRefusals.flatMap(({ option, ...fields }) => {
    const { value, isReference } = chosen(choices, option);
    return isReference ? [] : [{ ...fields, row: value }];
  });
  return [...operation.refusals, ...optional];
}

function checkQuery<Caller>(exchange: Exchange<Caller>): readonly Violation[] {
  const { schemas, validators } = routeOf(exchange);
  if (validators.query === null) return [];
  const [, search = ""] = /\?(.*)$/s.exec(exchange.request.url) ?? [];
  const values = queryParameters(search, schemas.query ?? {});
  exchange.input.query = values;
  return validators.query(values);
}

/** Of the headers those that the operation names. */
function checkHeaders<Caller>(exchange: Exchange<Caller>): readonly Violation[] {
  const { schemas, validators } = routeOf(exchange);
  if (schemas.headers === null || validators.headers === null) return [];
  const names = Object.keys(schemas.headers.properties ?? {});
  const given = names.flatMap((name) => {
    const value = exchange.request.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const values = typed(given, schemas.headers);
  exchange.input.headers = values;
  return validators.headers(values);
}

async function checkBody<Caller>(
  exchange: Exchange<Caller>,
  rows: ServiceRows,
): Promise<Refusal | readonly Violation[]> {
  const { schemas, validators } = routeOf(exchange);
  if (validators.body === null || validators.largeBody === null) return [];
  const body = await readBody(exchange.request, rows.wrongMediaType() === null);
  switch (body.kind) {
    case "absent":
      return schemas.bodyRequired ? [{ pointer: "", keyword: "required", says: "is required" }] : [];
    case "json":
      exchange.input.body = body.value;
      return body.bytes > thoroughBytes ? validators.largeBody(body.value) : validators.body(body.value);
    case "wrong-media-type":
      return rows.wrongMediaType() ?? rows.notJson("it is not declared as JSON");
    case "too-large":
      return rows.tooLarge(bodyLimit);
    case "not-json":
      return rows.notJson(body.why);
  }
}

const concerns = (refusal: FieldRefusal, { pointer, keyword }: Violation): boolean =>
  refusal.keywords.includes(keyword) && `${pointer}/`.startsWith(`${refusal.pointer}/`);

/** The refusal of fields with a row that the contract names for them. */
export function rowRefusal(row: string, violations: readonly FieldFault[], naming: FieldNaming): Refusal {
  if (!isRowName(row)) throw new Error(`The contract refuses a field with ${row}, which its catalog does not have.`);
  const details = fieldDetails(violations, naming);
  if (errorRows[row].details === "fields") return new Refusal(row, "The request has invalid fields.", { details });
  const faults = Object.entries(details).map(([field, says]) => `${field} ${says}`);
  return new Refusal(row, `The request is not valid: ${faults.slice(0, 5).join(", ")}.`);
}

const isRowName = (name: string): name is ErrorRowName => Object.hasOwn(errorRows, name);
