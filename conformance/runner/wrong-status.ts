import { undocumentedStatus } from "../exchange/admits.ts";
import { codeOf, type Exchange, statusOf } from "../exchange/exchange.ts";
import { Blocked } from "../outcome/verdict.ts";

/**
 * Why a check ended. If the server returned a documented code with a status that no row of the catalog pairs it with, the
 * server is to blame and not the target file: the catalog alone decides which pairs there are.
 */
export function blamedOnStatus(ended: unknown, last: Exchange | null): unknown {
  if (!(ended instanceof Blocked) || ended.origin === "environment") return ended;
  const exchange = ended.exchange ?? last;
  const status = exchange === null ? null : statusOf(exchange);
  if (exchange === null || status === null || !undocumentedStatus(codeOf(exchange), status)) return ended;
  return new Blocked(ended.message, "see ENV-28 first", "server", exchange);
}
