import type { CheckContext } from "../context/context.ts";
import { Blocked } from "../outcome/verdict.ts";
import type { Credential } from "../provision/tenant.ts";
import { balanceOf, balanceOnce } from "./lookup.ts";
import { type MetOrder, orderNumbers } from "./phone-number.ts";

/** An order, and what it cost in millionths of a US dollar. */
export interface ChargedOrder extends MetOrder {
  readonly cost: number;
}

/** Orders numbers, and sees what the wallet has less then: nothing where that does not come in time. */
export async function chargedOrder(
  t: CheckContext,
  as: Credential,
  order: () => Promise<MetOrder>,
): Promise<ChargedOrder> {
  const before = await balanceOf(as.tenant);
  const met = await order();
  return { ...met, cost: before - (await balanceOnce(t, as.tenant, (balance) => balance < before)) };
}

/** What one number costs, by ordering one; blocks where it costs nothing. */
export async function rentOf(t: CheckContext, as: Credential): Promise<number> {
  const { cost } = await chargedOrder(t, as, () => orderNumbers(t, as));
  if (cost <= 0) throw new Blocked("an order of a phone number was charged nothing", "see NUM-02 first", "server");
  return cost;
}
