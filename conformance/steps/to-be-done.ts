import { type Exchange, statusOf } from "../exchange/exchange.ts";

/** The status of a request that is taken and not done yet, and may be done much later (RFC 9110, 15.3.3). */
const accepted = 202;

/** Whether an answer says that what it was asked for is still to be done. */
export const isToBeDone = (exchange: Exchange): boolean => statusOf(exchange) === accepted;
