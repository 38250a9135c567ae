import { operations } from "../../generated/operations.ts";
import type { CheckContext } from "../context/context.ts";
import { dataOf, type Exchange, objectOf } from "../exchange/exchange.ts";
import { Blocked } from "../outcome/verdict.ts";
import type { Credential } from "../provision/tenant.ts";

/** Scope that a replay needs. */
export const replayScope: string = operations.replayDelivery.scope;

/** Asks for a replay, whatever the answer; a 429, which is not under test, is waited out. */
export const callReplay = (t: CheckContext, as: Credential, id: string, body: unknown = {}): Promise<Exchange> =>
  t.call("replayDelivery", { path: { id }, body }, as);

/** Asks for a replay once, where a 429 is under test. */
export const attemptReplay = (t: CheckContext, as: Credential, id: string): Promise<Exchange> =>
  t.attempt("replayDelivery", { path: { id }, body: {} }, as);

/** A replay that was accepted. */
export interface Replayed {
  /** The id of the new event. */
  readonly eventId: string;
  /** The payload of the answer. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly exchange: Exchange;
}

/** Replays a delivery: a set-up step, or the sound twin of a replay with one defect. Blocks when that is refused. */
export async function replay(t: CheckContext, as: Credential, id: string, body: unknown = {}): Promise<Replayed> {
  return replayedIn(t.control(await callReplay(t, as, id, body), "replaying a delivery"));
}

/** What the answer to an accepted replay tells. Blocks where it names no event. */
export function replayedIn(exchange: Exchange): Replayed {
  const data = objectOf(dataOf(exchange)) ?? {};
  const { new_event_id: eventId } = data;
  if (typeof eventId === "string" && eventId !== "") return { eventId, data, exchange };
  throw new Blocked("the answer to a replay names no new event", "see WHP-05 first", "server");
}
