import { bounds } from "../../../generated/limits.ts";
import type { CheckContext } from "../../context/context.ts";
import { rowNamed, rowText } from "../../exchange/admits.ts";
import { type Exchange, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { metaOf } from "../../steps/feed.ts";

const rows = ["ValidationFailed", "ValidationFailed400"] as const;

/** Decides that the answer to a page size that there is not refuses it; one that brings it into range reads Q7 otherwise. */
export function refusesPageSize(t: CheckContext<"WHL-22">, exchange: Exchange): boolean {
  const { limit } = metaOf(exchange);
  const { deliveryPageMin: least, deliveryPageMax: most } = bounds;
  const isInRange = isSuccess(exchange) && typeof limit === "number" && limit >= least && limit <= most;
  if (!isInRange) return t.refused("WHL-22", exchange, ...rows);
  return t.verify("WHL-22", false, {
    expected: rows.map((row) => rowText(rowNamed(row))).join(" or "),
    admits: rows,
    actual: `${summaryOf(exchange)}, a page of ${limit}`,
    exchanges: [exchange],
    question: "Q7",
  });
}
