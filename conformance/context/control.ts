import { type Exchange, isSuccess, summaryOf } from "../exchange/exchange.ts";
import { Blocked } from "../outcome/verdict.ts";

/** Blocks unless the exchange succeeded; `what` tells what it was for. */
export function control(exchange: Exchange, what: string): Exchange {
  if (isSuccess(exchange)) return exchange;
  throw new Blocked(
    `${what} was answered ${summaryOf(exchange)}`,
    "see the rules on this request first",
    "server",
    exchange,
  );
}
