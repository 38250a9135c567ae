import type { Operation, Rule } from "../contract.ts";
import { breach, type LintRule } from "./lint-rule.ts";
import { admitsStatus, calledName, rowsOf } from "./rows-of-operation.ts";

/** RFC 9110, section 15.5.5: nothing found. */
const missing = 404;

/**
 * An operation whose path names a thing documents the answer when there is no such thing: 404, or the row that a rule on
 * other organizations' records names for it.
 */
export const pathIdWithout404: LintRule = (contract) =>
  contract.operations
    .filter((operation) => operation.path.includes("{"))
    .filter((operation) => !rowsOf(contract, operation).some((row) => admitsStatus(row, missing)))
    .filter((operation) => !contract.rules.some((rule) => namesAnother(rule, operation)))
    .map((operation) =>
      breach(
        "path-id-without-404",
        operation.place,
        `${calledName(operation)} has a path parameter but documents no ${missing}.`,
        `Add the error row with status ${missing} to its return type.`,
      ),
    );

const namesAnother = ({ demands, operations, rows }: Rule, operation: Operation): boolean =>
  demands === "foreignRecord" &&
  operations.includes(operation.id) &&
  rows.some((row) => operation.errors.includes(row));
