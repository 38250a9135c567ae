import type { ErrorRowName } from "../../generated/error-rows.ts";
import type { RuleId } from "../../generated/rules.ts";
import type { CheckContext } from "../context/context.ts";
import { type Exchange, summaryOf } from "../exchange/exchange.ts";
import { answeredBy } from "./answered-by.ts";

/**
 * Verifies that a response refuses a malformed id, where the API document does not show how. A server may look for the
 * record and find none (Q22): the kit only records that.
 */
export function refusesMalformedId<Rule extends RuleId>(
  t: CheckContext<Rule>,
  rule: Rule,
  exchange: Exchange,
  rows: readonly ErrorRowName[],
): void {
  if (answeredBy(exchange, "NotFound")) t.observe(rule, `a malformed id gives ${summaryOf(exchange)}`, exchange);
  else t.refused(rule, exchange, ...rows);
}
