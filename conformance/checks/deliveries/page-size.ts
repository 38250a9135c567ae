import { bounds } from "../../../generated/limits.ts";
import type { CheckContext } from "../../context/context.ts";
import { type Exchange, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { metaOf } from "../../steps/feed.ts";

/** Error rows by which a page size is refused. */
export const pageSizeRefusals = ["ValidationFailed", "ValidationFailed400"] as const;

/**
 * Verifies that the server refuses an invalid page size. If the server brings the size into range, the kit only records
 * that (Q7).
 */
export function refusesPageSize(t: CheckContext<"WHL-22">, exchange: Exchange): boolean {
  const { limit } = metaOf(exchange);
  const { deliveryPageMin: least, deliveryPageMax: most } = bounds;
  const isInRange = isSuccess(exchange) && typeof limit === "number" && limit >= least && limit <= most;
  if (!isInRange) return t.refused("WHL-22", exchange, ...pageSizeRefusals);
  t.observe("WHL-22", `${summaryOf(exchange)}, a page of ${limit}: the size was brought into range`, exchange);
  return true;
}
