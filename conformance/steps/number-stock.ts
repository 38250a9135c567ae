import { randomInt } from "node:crypto";
import { numberStock } from "../arrangements/number-stock.ts";
import type { Tenant } from "../provision/tenant.ts";

/** Where the numbers are that the kit has organizations find. */
export const stockAreaCode = "202";

/** Seven digits, the least of those that the kit gives out and the first that it does not. */
const lines = { from: 2_000_000, before: 9_990_000 } as const;

/** Where the next numbers begin: runs of several kits at once begin anywhere, so that they seldom want the same. */
let next: number = randomInt(lines.from, lines.before);

/** So many numbers of the area that nobody holds yet, and that no check of the run has seen. */
export function newNumbers(count: number): readonly string[] {
  if (next + count > lines.before) next = lines.from;
  const first = next;
  next += count;
  return Array.from({ length: count }, (_, index) => `+1${stockAreaCode}${first + index}`);
}

/** Organizations for which the kit has said what they find. */
const stocked = new WeakSet<Tenant>();

/** Has an organization find these numbers and no others. */
export async function haveStock(tenant: Tenant, phone_numbers: readonly string[]): Promise<void> {
  stocked.add(tenant);
  await tenant.arrange(numberStock, { phone_numbers: [...phone_numbers] });
}

/**
 * Has organizations find the same new numbers. False where the kit cannot: nothing says that what one of them finds
 * another one may order, since each may have a stock of its own.
 */
export async function haveCommonStock(tenants: readonly Tenant[], count: number): Promise<boolean> {
  if (!tenants.every((tenant) => tenant.can(numberStock))) return false;
  const numbers = newNumbers(count);
  for (const tenant of tenants) await haveStock(tenant, numbers);
  return true;
}

/** So many that no check orders all of them. */
const ownStock = 60;

/**
 * Has an organization find numbers that no other one does, unless the kit has said before what it finds: checks that do
 * so need not wait for each other. Where the kit cannot, they take turns (`sharedStock`). An organization that checks share
 * keeps its stock, of which there is enough for all of them.
 */
export async function haveOwnStock(tenant: Tenant): Promise<void> {
  if (tenant.own && !stocked.has(tenant) && tenant.can(numberStock)) await haveStock(tenant, newNumbers(ownStock));
}
