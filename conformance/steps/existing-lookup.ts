import type { CheckContext } from "../context/context.ts";
import { type Exchange, isSuccess, summaryOf } from "../exchange/exchange.ts";
import { isNamedType, type MadeLookup, shownIn } from "./lookup.ts";
import { isSameId } from "./settle.ts";

/** Decides whether a retry was answered with the lookup that there is already; gives whether it was that one. */
export function judgeExisting(
  t: CheckContext<"LKP-09">,
  first: Pick<MadeLookup, "id" | "exchange">,
  exchange: Exchange,
): boolean {
  const { id } = isSuccess(exchange) ? shownIn(t, "createLookup", exchange) : { id: null };
  const isExisting = t.verify("LKP-09", isSameId(id, first.id), {
    expected: `the lookup ${first.id}, which there is already`,
    actual: id === null ? summaryOf(exchange) : `the lookup ${id}`,
    exchanges: [first.exchange, exchange],
  });
  const [before, after] = [first.exchange, exchange].map((each) => shownIn(t, "createLookup", each).lineType);
  // What stood there before the type was known may have given way to it.
  if (before !== undefined && isNamedType(before) && after !== null)
    t.equal("LKP-09", "the line type", after, before, first.exchange, exchange);
  return isExisting;
}
