import type { Logger } from "pino";
import type { DeliveryAttempt } from "../domain/deliveries/delivery.ts";
import type { MadeAttempt } from "./make-attempt.ts";

/** Characters of an address in a line. */
const longestShown = 200;

/** Writes one line for each attempt: fields for machines, and a sentence. */
export function deliveryLog(log: Logger): (made: MadeAttempt) => void {
  // Nothing in these lines needs to be searched for secrets, which would take longer than writing them.
  const lines = log.child({}, { redact: [] });
  return (made) => {
    const { attempt } = made;
    const level = attempt.outcome === "success" ? "info" : "warn";
    lines[level](
      {
        organization_id: attempt.organizationId,
        endpoint_id: attempt.endpointId,
        delivery_id: attempt.deliveryId,
        event_id: attempt.eventId,
        event_type: attempt.eventType,
        attempt: attempt.attempt,
        outcome: attempt.outcome,
        status: attempt.responseStatus,
        ms: attempt.responseTimeMs,
      },
      sentence(made),
    );
  };
}

function sentence({ attempt, nextDueAt }: MadeAttempt): string {
  const { outcome, eventId, eventType, url, responseStatus, responseTimeMs, error } = attempt;
  const answer =
    error === null
      ? `${responseStatus} in ${responseTimeMs} ms`
      : `without an answer after ${responseTimeMs} ms: ${error}`;
  const next = nextDueAt === null ? "" : `, next in ${duration(nextDueAt - attempt.occurredAt)}`;
  return `${verbs[outcome]} ${eventId} ${eventType} → ${shownUrl(url)} ${answer} (attempt ${attempt.attempt}${next})`;
}

const verbs: Readonly<Record<DeliveryAttempt["outcome"], string>> = {
  success: "delivered",
  retry: "did not deliver",
  dead: "gave up",
};

/** An address without what may be secret in it: user, password and query. */
export function shownUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null) return "an address that is no URL";
  const shown = `${url.protocol}//${url.host}${url.pathname}`;
  const path = shown.length > longestShown ? `${shown.slice(0, longestShown)}…` : shown;
  return url.search === "" ? path : `${path}?…`;
}

/** Rounded to the unit that a reader thinks in. */
function duration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 1) return `${milliseconds} ms`;
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
