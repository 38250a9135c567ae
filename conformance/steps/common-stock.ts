import { randomInt } from "node:crypto";
import { numberStock } from "../arrangements/number-stock.ts";
import type { Tenant } from "../provision/tenant.ts";

/** Where the numbers are that the kit has organizations find. */
export const stockAreaCode = "202";

/** So many numbers of the area that nobody holds yet. */
export const newNumbers = (count: number): readonly string[] => {
  const first = randomInt(2_000_000, 9_000_000);
  return Array.from({ length: count }, (_, index) => `+1${stockAreaCode}${first + index}`);
};

/**
 * Has organizations find the same new numbers. False where the kit cannot: nothing says that what one of them finds
 * another one may order, since each may have a stock of its own.
 */
export async function haveCommonStock(tenants: readonly Tenant[], count: number): Promise<boolean> {
  if (!tenants.every((tenant) => tenant.can(numberStock))) return false;
  const phone_numbers = newNumbers(count);
  for (const tenant of tenants) await tenant.arrange(numberStock, { phone_numbers });
  return true;
}
