import type { ErrorRowName } from "../../generated/error-rows.ts";
import { rowAllows, rowNamed } from "../exchange/admits.ts";
import { codeOf, type Exchange, statusOf } from "../exchange/exchange.ts";

/** Whether an exchange is an error answer of that row: its status and its code. */
export function answeredBy(exchange: Exchange, name: ErrorRowName): boolean {
  const row = rowNamed(name);
  return codeOf(exchange) === row.code && rowAllows(row, statusOf(exchange) ?? 0);
}

/**
 * Returns true for an error with the code of a row, with any status. Another rule judges the status: only the catalog
 * decides which pairs exist.
 */
export const hasCodeOf = (exchange: Exchange, name: ErrorRowName): boolean => codeOf(exchange) === rowNamed(name).code;
