import { type ErrorRowName, errorRows } from "../../generated/error-rows.ts";
import { rules } from "../../generated/rules.ts";
import type { Rule } from "../../generated/runtime/rule.ts";
import type { Check } from "../context/check.ts";
import { type ApiOperationId, apiOperations } from "../context/for-each-operation.ts";
import { rowNamed, rowText } from "../exchange/admits.ts";

/** An error row that the contract says may answer an operation. */
export interface PromisedRow {
  readonly operation: ApiOperationId;
  readonly row: ErrorRowName;
}

/** Every row that an operation declares. */
export const promisedRows: readonly PromisedRow[] = apiOperations.flatMap(({ id, errors }) =>
  errors.filter(isRowName).map((row) => ({ operation: id, row })),
);

function isRowName(name: string): name is ErrorRowName {
  return Object.hasOwn(errorRows, name);
}

/** Tells of an answer whether one of the checks judges it: decides, at its operation, a rule that speaks of its row. */
export function raisedBy(checks: readonly Check[]): (promise: PromisedRow) => boolean {
  const raised = new Set<string>();
  for (const { rules: ids, operation } of checks) {
    for (const id of ids) {
      const { about, rows, operations }: Rule = rules[id];
      const places = operation === undefined ? [about, ...operations] : [operation];
      for (const row of [about, ...rows]) for (const place of places) raised.add(`${place} ${row}`);
    }
  }
  return ({ operation, row }) => raised.has(`${operation} ${row}`);
}

/** "rotateApiKey may answer 409 CONFLICT (Conflict)", for messages. */
export const promiseText = ({ operation, row }: PromisedRow): string =>
  `${operation} may answer ${rowText(rowNamed(row))} (${row})`;

export const isSamePromise = (one: PromisedRow, other: PromisedRow): boolean =>
  one.operation === other.operation && one.row === other.row;
