import type { ErrorRowName } from "../../generated/error-rows.ts";
import type { RuleId } from "../../generated/rules.ts";
import type { CheckContext } from "../context/context.ts";
import type { Exchange } from "../exchange/exchange.ts";

/** Times that a call is made which is to be refused each time. */
const times = 3;

/** Has a call refused by one of these rows, and again: no rule holds the first time only. Gives the last answer. */
export async function refusedAlways<Rule extends RuleId>(
  t: CheckContext<Rule>,
  rule: Rule,
  call: () => Promise<Exchange>,
  ...rows: readonly ErrorRowName[]
): Promise<Exchange> {
  let exchange = await call();
  for (let time = 2; t.refused(rule, exchange, ...rows) && time <= times; time += 1) exchange = await call();
  return exchange;
}
