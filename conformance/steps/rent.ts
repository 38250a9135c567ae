import type { CheckContext } from "../context/context.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { Blocked } from "../outcome/verdict.ts";
import type { Credential } from "../provision/tenant.ts";
import { balanceOf, balanceOnce } from "./lookup.ts";
import { orderNumbers } from "./phone-number.ts";

/** Orders numbers, and sees how many millionths of a US dollar the wallet has less then: nothing where that does not come in time. */
export async function chargedOrder(t: CheckContext, as: Credential, order: () => Promise<Exchange>) {
  const before = await balanceOf(as.tenant);
  const exchange = await order();
  return { exchange, cost: before - (await balanceOnce(t, as.tenant, (balance) => balance < before)) };
}

/** What one number costs, by ordering one; blocks where it costs nothing. */
export async function rentOf(t: CheckContext, as: Credential): Promise<number> {
  const { cost } = await chargedOrder(t, as, async () => (await orderNumbers(t, as)).exchange);
  if (cost <= 0) throw new Blocked("an order of a phone number was charged nothing", "see NUM-02 first", "server");
  return cost;
}
