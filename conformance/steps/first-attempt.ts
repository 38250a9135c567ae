import type { CheckContext } from "../context/context.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Endpoint } from "./endpoint.ts";
import { type AttemptRecord, eventIdsOf } from "./feed.ts";
import { makeEvent } from "./make-event.ts";
import { attemptsAt, isSameId } from "./settle.ts";

/** The first attempt of an event that the kit made happen. */
export interface FirstAttempt {
  readonly record: AttemptRecord;
  /** In lower case. */
  readonly eventId: string;
  /** Events that were tried at the endpoint before it, as a server may send a new endpoint some by itself. */
  readonly earlier: readonly string[];
  /** What shows it. */
  readonly pages: readonly Exchange[];
}

/** Makes an event and waits for its first attempt; null when the feed does not show it in time. */
export async function firstAttempt(t: CheckContext, endpoint: Endpoint): Promise<FirstAttempt | null> {
  const before = eventIdsOf((await attemptsAt(t, endpoint, 0)).records);
  const { id } = await makeEvent(t, endpoint);
  const isIt = ({ event_id }: AttemptRecord): boolean =>
    id === null ? !before.includes(lowered(event_id)) : isSameId(event_id, id);
  const { records, pages } = await attemptsAt(t, endpoint, (all) => all.some(isIt));
  const record = earliest(records.filter(isIt));
  if (record === null) return null;
  const eventId = lowered(record.event_id);
  return { record, eventId, earlier: eventIdsOf(records).filter((each) => each !== eventId), pages };
}

/** The record with the lowest number, as several may have been made at one time; null where there is none. */
export const earliest = (records: readonly AttemptRecord[]): AttemptRecord | null =>
  records.reduce<AttemptRecord | null>(
    (one, other) => (one === null || Number(other.attempt) <= Number(one.attempt) ? other : one),
    null,
  );

/** A UUID may be written in either case (RFC 9562, 4). */
const lowered = (id: unknown): string => String(id).toLowerCase();
