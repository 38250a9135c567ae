import type { Choices } from "../../generated/choices.ts";
import type * as wire from "../../generated/models/deliveries.ts";
import { timestamp } from "../domain/clock.ts";
import type { DeliveryAttempt } from "../domain/deliveries/delivery.ts";

/** The record of an attempt as its organization sees it. */
export function wireAttempt(attempt: DeliveryAttempt, choices: Choices): wire.DeliveryAttempt {
  return {
    id: attempt.id,
    endpoint_id: attempt.endpointId,
    event_id: attempt.eventId,
    event_type: attempt.eventType,
    url: attempt.url,
    attempt: attempt.attempt,
    outcome: attempt.outcome,
    ...wireAnswer(attempt, choices),
    request_body_sha256: digest(attempt.requestBodySha256, choices),
    request_body_bytes: attempt.requestBodyBytes,
    request_headers: headers(attempt.requestHeaders, choices),
    error: attempt.error,
    occurred_at: timestamp(attempt.occurredAt, choices.timestampPrecision),
  };
}

type WireAnswer = Pick<wire.DeliveryAttempt, "response_status" | "response_time_ms" | "response_body_excerpt">;

function wireAnswer(attempt: DeliveryAttempt, { unansweredStatus }: Choices): WireAnswer {
  const { responseStatus, responseTimeMs, responseBodyExcerpt } = attempt;
  const answer = { response_time_ms: responseTimeMs, response_body_excerpt: responseBodyExcerpt };
  if (responseStatus !== null) return { response_status: responseStatus, ...answer };
  switch (unansweredStatus) {
    case "null":
      return { response_status: null, ...answer };
    case "absent":
      return {};
    case "zero":
      return { response_status: 0, ...answer };
  }
}

function digest(hex: string, { digestEncoding }: Choices): string {
  switch (digestEncoding) {
    case "hex":
      return hex;
    case "base64":
      return Buffer.from(hex, "hex").toString("base64");
  }
}

function headers(sent: Readonly<Record<string, string>>, { recordedHeaderNames }: Choices) {
  switch (recordedHeaderNames) {
    case "as-sent":
      return sent;
    case "lower-case":
      return Object.fromEntries(Object.entries(sent).map(([name, value]) => [name.toLowerCase(), value]));
  }
}
