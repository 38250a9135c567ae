import type { CheckContext } from "../../context/context.ts";
import { type Exchange, errorOf, objectOf } from "../../exchange/exchange.ts";
import { answeredBy } from "../../steps/answered-by.ts";

/** Decides whether the refusal of a bad filter names it, or one of them where two do not fit each other. */
export function namesFilter(t: CheckContext, exchange: Exchange, filters: readonly string[]): void {
  // Whether it is refused in this form at all is for other rules to say.
  if (!answeredBy(exchange, "ValidationFailed")) return;
  const keys = Object.keys(objectOf(errorOf(exchange)?.details) ?? {});
  const named = keys.some((key) => filters.some((filter) => key.includes(filter)));
  t.verify("WHL-46", named, {
    expected: `error.details with a key that contains ${filters.join(" or ")}`,
    actual: keys.length > 0 ? keys.join(", ") : "no details",
    exchanges: [exchange],
  });
}
