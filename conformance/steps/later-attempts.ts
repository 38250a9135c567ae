import type { CheckContext } from "../context/context.ts";
import type { Endpoint } from "./endpoint.ts";
import type { AttemptRecord, Feed } from "./feed.ts";
import { growingSteps } from "./growing-steps.ts";
import { attemptsAt } from "./settle.ts";

/**
 * Moves a manual clock by growing steps until the feed shows of an endpoint what is wanted: any schedule of sense has
 * come to its end within these three weeks.
 */
export async function laterAttempts(
  t: CheckContext,
  endpoint: Endpoint,
  isEnough: (records: readonly AttemptRecord[]) => boolean,
): Promise<Feed & { readonly enough: boolean }> {
  let { records, pages } = await attemptsAt(t, endpoint, 0);
  for (const seconds of growingSteps) {
    if (isEnough(records)) break;
    await endpoint.owner.tenant.advance(seconds, "a retry");
    ({ records, pages } = await attemptsAt(t, endpoint, 0));
  }
  // A feed may show an attempt some time after it was made.
  if (!isEnough(records)) ({ records, pages } = await attemptsAt(t, endpoint, isEnough));
  return { records, pages, enough: isEnough(records) };
}
