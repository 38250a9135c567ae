import { bounds } from "../../../generated/limits.ts";
import type { CheckContext } from "../../context/context.ts";
import { type Exchange, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { metaOf } from "../../steps/feed.ts";

/** Error rows by which a page size is refused. */
export const pageSizeRefusals = ["ValidationFailed", "ValidationFailed400"] as const;

/** Decides that the answer to a page size that there is not refuses it; a size that the server brings into range is only recorded (Q7). */
export function refusesPageSize(t: CheckContext<"WHL-22">, exchange: Exchange): boolean {
  const { limit } = metaOf(exchange);
  const { deliveryPageMin: least, deliveryPageMax: most } = bounds;
  const isInRange = isSuccess(exchange) && typeof limit === "number" && limit >= least && limit <= most;
  if (!isInRange) return t.refused("WHL-22", exchange, ...pageSizeRefusals);
  t.observe("WHL-22", `${summaryOf(exchange)}, a page of ${limit}: the size was brought into range`, exchange);
  return true;
}
