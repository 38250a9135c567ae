import { undocumentedStatus } from "../exchange/admits.ts";
import { codeOf, type Exchange, statusOf } from "../exchange/exchange.ts";
import { Blocked } from "../outcome/verdict.ts";

/**
 * Returns why a check ended. If no row of the catalog pairs a documented code with the status of the response, the server
 * is at fault. The target file is not, because only the catalog decides which pairs exist.
 */
export function blamedOnStatus(ended: unknown, last: Exchange | null): unknown {
  if (!(ended instanceof Blocked) || ended.origin === "environment") return ended;
  const exchange = ended.exchange ?? last;
  const status = exchange === null ? null : statusOf(exchange);
  if (exchange === null || status === null || !undocumentedStatus(codeOf(exchange), status)) return ended;
  return new Blocked(ended.message, "see ENV-28 first", "server", exchange);
}
