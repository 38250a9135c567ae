import { errorRows } from "../../generated/error-rows.ts";
import { type Exchange, headerOf } from "./exchange.ts";

/** Header in which a refusal for a limit says how many seconds to wait. */
export const [retryAfterHeader] = errorRows.RateLimited.headers;

/** What stands in it; null where the answer has none. */
export const retryAfterIn = (exchange: Exchange): string | null => headerOf(exchange, retryAfterHeader);
