import { type ErrorRowName, errorRows } from "../../generated/error-rows.ts";
import type { ErrorRow } from "../../generated/runtime/refusal.ts";

/** Whether a row of the error catalog allows this status. */
export function rowAllows(row: ErrorRow, status: number): boolean {
  const { status: allowed } = row;
  if (typeof allowed === "number") return allowed === status;
  return status >= allowed.from && status <= allowed.to && !allowed.except.includes(status);
}

/** The catalog's row of that name. */
export const rowNamed = (name: ErrorRowName): ErrorRow => errorRows[name];

/** Rows of the document with this code; those that the reference adds bind nobody. */
export const rowsWithCode = (code: string): readonly ErrorRow[] => byCode.get(code) ?? [];

/** Returns true if the catalog has a code, and no row pairs it with this status. */
export const undocumentedStatus = (code: string | null, status: number): boolean => {
  const rows = rowsWithCode(code ?? "");
  return rows.length > 0 && !rows.some((row) => rowAllows(row, status));
};

const byCode = Map.groupBy(
  Object.values<ErrorRow>(errorRows).filter((row) => row.service === "api" && !row.extension),
  ({ code }) => code,
);

/** "400 INVALID_INPUT", for messages. */
export function rowText(row: ErrorRow): string {
  const { status } = row;
  return `${typeof status === "number" ? status : `${status.from}–${status.to}`} ${row.code}`;
}
