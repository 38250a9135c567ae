import type { CheckContext } from "../../context/context.ts";
import { rowNamed, rowText } from "../../exchange/admits.ts";
import { type Exchange, isSuccess, statusOf, summaryOf } from "../../exchange/exchange.ts";
import { isFrontRefusal } from "../../exchange/front-refusal.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import type { BadAuthorization } from "./bad-authorizations.ts";

const unauthorized = rowNamed("Unauthorized");

/** Every value is refused, but for those that an obedient server may take as long as it does not take all. */
export function judgeAuthorization(
  t: CheckContext,
  { rule, what, arguable, strange }: BadAuthorization,
  exchanges: readonly Exchange[],
): void {
  // A proxy or an HTTP parser before the server may refuse a strange field with a page (Q134).
  const ofFront = exchanges.filter(isFrontRefusal);
  for (const exchange of ofFront) t.observe(rule, `${what} gives ${summaryOf(exchange)}`, exchange);
  if (ofFront.length === exchanges.length) return;
  const refused = exchanges.filter((exchange) => !isSuccess(exchange) && !isFrontRefusal(exchange));
  const wrong =
    refused.find((exchange) => !answeredBy(exchange, "Unauthorized")) ??
    (refused.length === 0 ? exchanges[0] : undefined);
  t.verify(rule, wrong === undefined, {
    expected: `${rowText(unauthorized)} for ${what}`,
    admits: ["Unauthorized"],
    actual: wrong === undefined ? rowText(unauthorized) : summaryOf(wrong),
    exchanges: wrong === undefined ? exchanges : [wrong],
    warnOnly: refused.length === 0 ? arguable : strange && refused.every((one) => (statusOf(one) ?? 0) < 500),
  });
}
