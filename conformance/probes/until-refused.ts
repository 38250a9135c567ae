import { rules } from "../../generated/rules.ts";
import { rowAllows, rowNamed } from "../exchange/admits.ts";
import { type Exchange, isSuccess, statusOf, summaryOf } from "../exchange/exchange.ts";
import { secondsOf } from "../story/passed.ts";
import type { Again } from "./live-probes.ts";
import { type Case, placeAmong } from "./probe.ts";

/** Calls that are made more until one is refused. */
const mostMore = 25;

/** Whether a call was served that a limit was to refuse. */
export function isBeyondLimit({ finding }: Case, exchange: Exchange): boolean {
  const admits = finding.admits ?? [];
  const wanted = admits.length > 0 ? admits : rules[finding.rule].rows;
  return isSuccess(exchange) && wanted.includes("RateLimited");
}

/**
 * What comes of the same call, made until it is refused: of which limit it is that is kept instead. How many were admitted
 * in all is told where time stands still, `isStill`.
 */
export async function untilRefused(
  seen: Case,
  exchange: Exchange,
  again: Again,
  isStill: boolean,
): Promise<readonly string[]> {
  let more = 0;
  let last = exchange;
  const begun = performance.now();
  while (more < mostMore && isSuccess(last)) {
    // Where no more may be asked, what came is told.
    const answer = await again(exchange).catch(() => null);
    if (answer === null) break;
    last = answer;
    if (isSuccess(answer)) more += 1;
  }
  if (more === 0 && last === exchange) return [];
  const took = `${((performance.now() - begun) / 1000).toFixed(1)} s`;
  const before = isStill ? servedBefore(seen, exchange) : null;
  const all = before === null ? `within ${took}` : `${before + more} in all at one time of the organization's clock`;
  const how = "the same call, until it is refused";
  if (isSuccess(last)) return [`${how}: ${more} more admitted and none refused, ${all}`];
  const refused = rowAllows(rowNamed("RateLimited"), statusOf(last) ?? 0) ? "for the limit" : "otherwise";
  return [`${how}: ${more} more admitted, then ${summaryOf(last)}, ${refused}: ${all}`];
}

/** Calls of the same operation and caller that were served since time went by, up to one. */
function servedBefore({ steps }: Case, exchange: Exchange): number {
  const until = steps.slice(0, placeAmong(exchange, steps) + 1);
  const since = until.slice(until.findLastIndex((step) => secondsOf(step) > 0) + 1);
  return since.filter(
    ({ operation, request, outcome }) =>
      operation === exchange.operation &&
      request?.headers.authorization === exchange.request.headers.authorization &&
      outcome?.kind === "response" &&
      outcome.status < 300,
  ).length;
}
