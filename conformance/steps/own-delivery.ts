import type { CheckContext } from "../context/context.ts";
import { Blocked } from "../outcome/verdict.ts";
import type { Credential } from "../provision/tenant.ts";
import { answeredEndpoint } from "./answered-endpoint.ts";
import type { Endpoint } from "./endpoint.ts";
import type { AttemptRecord } from "./feed.ts";
import { firstAttempt } from "./first-attempt.ts";

/** A delivery that the feed shows. */
export interface OwnDelivery {
  /** What a replay is asked for by. */
  readonly id: string;
  readonly record: AttemptRecord;
  readonly endpoint: Endpoint;
  /** Other events that were tried at the endpoint by then: what a server may send a new one by itself. */
  readonly earlier: readonly string[];
}

/** Makes an event and waits for the first attempt to deliver it; what became of the attempt is no matter. */
export async function ownDelivery(t: CheckContext, as: Credential): Promise<OwnDelivery> {
  const endpoint = await answeredEndpoint(t, as);
  const { record, earlier } = (await firstAttempt(t, endpoint)) ?? {};
  if (typeof record?.id === "string") return { id: record.id, record, endpoint, earlier: earlier ?? [] };
  throw new Blocked(
    record === undefined
      ? `no attempt at a new endpoint was in the feed within ${t.timing.pollTimeout / 1000} s of an event`
      : "the record of an attempt has no id",
    record === undefined ? "see WHL-08 first, or give the target longer: poll_timeout in its file" : "see WHL-02 first",
    "server",
  );
}
