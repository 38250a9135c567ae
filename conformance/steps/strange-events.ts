import type { CheckContext } from "../context/context.ts";
import { Blocked } from "../outcome/verdict.ts";
import type { Endpoint } from "./endpoint.ts";
import type { AttemptRecord } from "./feed.ts";
import { makeEvent } from "./make-event.ts";
import { attemptsAt } from "./settle.ts";

/**
 * Ids of events that were tried at an endpoint although the check knows nothing of them. One more event is made first:
 * once there is an attempt of that, what was enqueued before it has been tried too.
 */
export async function strangeEvents(
  t: CheckContext,
  endpoint: Endpoint,
  known: readonly unknown[],
): Promise<readonly string[]> {
  const expected = new Set(known.map(lowered));
  const strangers = (records: readonly AttemptRecord[]): readonly string[] => [
    ...new Set(records.map(({ event_id }) => lowered(event_id)).filter((id) => !expected.has(id))),
  ];
  const { id } = await makeEvent(t, endpoint);
  const made = id === null ? null : lowered(id);
  const { records, enough } = await attemptsAt(t, endpoint, (all) =>
    made === null ? strangers(all).length > 0 : strangers(all).includes(made),
  );
  if (!enough) throw new Blocked("no attempt of an event was in the feed in time", "see WHL-08 first", "server");
  // Where nobody told the id of the event, one of them is that.
  return made === null ? strangers(records).slice(1) : strangers(records).filter((each) => each !== made);
}

/** A UUID may be written in either case (RFC 9562, 4). */
const lowered = (id: unknown): string => String(id).toLowerCase();
