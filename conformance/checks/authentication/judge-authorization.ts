import type { CheckContext } from "../../context/context.ts";
import { rowNamed, rowText } from "../../exchange/admits.ts";
import { type Exchange, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import type { BadAuthorization } from "./bad-authorizations.ts";

const unauthorized = rowNamed("Unauthorized");

/** Every value is refused, but for those that an obedient server may take as long as it does not take all. */
export function judgeAuthorization(
  t: CheckContext,
  { rule, what, arguable, strange }: BadAuthorization,
  exchanges: readonly Exchange[],
): void {
  const refused = exchanges.filter((exchange) => !isSuccess(exchange));
  const wrong =
    refused.find((exchange) => !answeredBy(exchange, "Unauthorized")) ??
    (refused.length === 0 ? exchanges[0] : undefined);
  t.verify(rule, wrong === undefined, {
    expected: `${rowText(unauthorized)} for ${what}`,
    admits: ["Unauthorized"],
    actual: wrong === undefined ? rowText(unauthorized) : summaryOf(wrong),
    exchanges: wrong === undefined ? exchanges : [wrong],
    warnOnly: refused.length === 0 ? arguable : strange,
  });
}
