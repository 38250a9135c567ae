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

/** Checks that judge this answer: they decide, at this operation, a rule that speaks of the row. */
export const checksRaising = ({ operation, row }: PromisedRow, checks: readonly Check[]): readonly Check[] =>
  checks.filter((check) =>
    check.rules.some((id) => {
      const rule: Rule = rules[id];
      const speaksOfRow = rule.about === row || rule.rows.includes(row);
      const isHere =
        check.operation === undefined
          ? rule.about === operation || rule.operations.includes(operation)
          : check.operation === operation;
      return speaksOfRow && isHere;
    }),
  );

/** "rotateApiKey may answer 409 CONFLICT (Conflict)", for messages. */
export const promiseText = ({ operation, row }: PromisedRow): string =>
  `${operation} may answer ${rowText(rowNamed(row))} (${row})`;

export const isSamePromise = (one: PromisedRow, other: PromisedRow): boolean =>
  one.operation === other.operation && one.row === other.row;
