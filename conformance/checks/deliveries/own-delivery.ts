import type { CheckContext } from "../../check/context.ts";
import { Blocked } from "../../check/verdict.ts";
import type { Credential } from "../../ladder/tenant.ts";
import { answeredEndpoint } from "../webhooks/answered-endpoint.ts";
import type { Endpoint } from "../webhooks/endpoint.ts";
import { makeEvent } from "../webhooks/make-event.ts";
import type { AttemptRecord } from "./feed.ts";
import { attemptsAt } from "./settle.ts";

/** A delivery that the feed shows. */
export interface OwnDelivery {
  /** What a replay is asked for by. */
  readonly id: string;
  readonly record: AttemptRecord;
  readonly endpoint: Endpoint;
}

/** Makes an event and waits for the first attempt to deliver it; what became of the attempt is no matter. */
export async function ownDelivery(t: CheckContext, as: Credential): Promise<OwnDelivery> {
  const endpoint = await answeredEndpoint(t, as);
  await makeEvent(t, endpoint);
  const { records } = await attemptsAt(t, endpoint, 1);
  const record = records.at(-1);
  if (typeof record?.id === "string") return { id: record.id, record, endpoint };
  throw new Blocked(
    record === undefined
      ? `no attempt at a new endpoint was in the feed within ${t.timing.pollTimeout / 1000} s of an event`
      : "the record of an attempt has no id",
    record === undefined ? "see WHL-08 first, or give the target longer: poll_timeout in its file" : "see WHL-02 first",
    "server",
  );
}
