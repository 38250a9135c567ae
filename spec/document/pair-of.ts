import type { ErrorRow } from "../../compiler/contract.ts";

/** A row's status and code as one string: `404 NOT_FOUND`. A status that is left open is written `4xx`. */
export function pairOf(row: { readonly status: ErrorRow["status"] | null; readonly code: string }): string {
  return `${typeof row.status === "number" ? row.status : "4xx"} ${row.code}`;
}
