import { breach, type LintRule } from "./lint-rule.ts";
import { admitsStatus, calledName, rowsOf } from "./rows-of-operation.ts";

/** RFC 6585, section 4: too many requests. */
const tooMany = 429;

/** An operation that draws from a bucket documents the refusal when it is empty, and how long to wait. */
export const bucketWithout429: LintRule = (contract) =>
  contract.operations.flatMap((operation) => {
    if (operation.draws.length === 0) return [];
    const rows = rowsOf(contract, operation).filter((row) => admitsStatus(row, tooMany));
    if (rows.length === 0) {
      return breach(
        "bucket-without-429",
        operation.place,
        `${calledName(operation)} draws from the bucket ${operation.draws.map(({ bucket }) => bucket).join(" and ")} but documents no ${tooMany}.`,
        `Add the error row with status ${tooMany} to its return type, or remove @draws.`,
      );
    }
    return rows
      .filter((row) => !row.headers.some((header) => header.toLowerCase() === "retry-after"))
      .map((row) =>
        breach(
          "bucket-without-429",
          row.place,
          `${row.name} answers an empty bucket of ${calledName(operation)} but has no Retry-After header.`,
          `Spread a model with @header("Retry-After") into ${row.name}.`,
        ),
      );
  });
