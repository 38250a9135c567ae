import type { Contract, ErrorRow, Operation } from "../contract.ts";

/** The error rows that an operation documents. */
export function rowsOf(contract: Contract, operation: Operation): readonly ErrorRow[] {
  return contract.errors.filter((row) => row.service === operation.service && operation.errors.includes(row.name));
}

/** True when the contract allows the row to come with this status. */
export function admitsStatus({ status }: ErrorRow, wanted: number): boolean {
  if (typeof status === "number") return status === wanted;
  return status.from <= wanted && wanted <= status.to && !status.except.includes(wanted);
}

/** `POST /v1/api-keys (createApiKey)`, as messages name an operation. */
export const calledName = ({ id, method, path }: Operation): string => `${method.toUpperCase()} ${path} (${id})`;
