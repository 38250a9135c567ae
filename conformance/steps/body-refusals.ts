import type { Exchange } from "../exchange/exchange.ts";
import { answeredBy } from "./answered-by.ts";

/** Error rows by which a body may be refused for what is in it, or what is not. */
export const bodyRefusals = ["InvalidInput", "ValidationFailed400", "ValidationFailed"] as const;

/** Whether a body was refused so. */
export const refusesBody = (exchange: Exchange): boolean => bodyRefusals.some((row) => answeredBy(exchange, row));
