import { breach, type LintRule } from "./lint-rule.ts";
import { admitsStatus, calledName, rowsOf } from "./rows-of-operation.ts";

/** Statuses in which an operation with a scope refuses: RFC 9110, sections 15.5.2 and 15.5.4. */
const denials = [
  { status: 401, when: "a caller without valid credentials" },
  { status: 403, when: "a caller without the scope" },
] as const;

/** An operation with a scope documents how it refuses a caller who is unknown and one who lacks the scope. */
export const scopeWithoutDenial: LintRule = (contract) =>
  contract.operations
    .filter((operation) => operation.scope !== null)
    .flatMap((operation) =>
      denials
        .filter(({ status }) => !rowsOf(contract, operation).some((row) => admitsStatus(row, status)))
        .map(({ status, when }) =>
          breach(
            "scope-without-denial",
            operation.place,
            `${calledName(operation)} needs the scope ${operation.scope} but documents no ${status} for ${when}.`,
            `Add the error row with status ${status} to its return type.`,
          ),
        ),
    );
