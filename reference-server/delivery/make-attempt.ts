import { timeOf } from "../domain/clock.ts";
import type { DeliveryAttempt } from "../domain/deliveries/delivery.ts";
import { type DeliveryManner, deliveryRequest } from "../domain/deliveries/delivery-request.ts";
import { answerOf } from "../domain/deliveries/receiver-answer.ts";
import { afterAttempt, type RetrySchedule } from "../domain/deliveries/retry-schedule.ts";
import type { DeliveryClaim } from "../domain/work/due-work.ts";
import type { World } from "../domain/world.ts";
import type { Sender } from "./send-attempt.ts";

export interface AttemptParts {
  readonly sender: Pick<Sender, "send" | "excerptBytes">;
  readonly world: Pick<World, "now" | "newId">;
  readonly manner: DeliveryManner;
  readonly schedule: RetrySchedule;
}

export interface MadeAttempt {
  readonly attempt: DeliveryAttempt;
  /** In the organization's time: milliseconds since 1970; null when there is no next one. */
  readonly nextDueAt: number | null;
}

/** Makes the next attempt of a claimed delivery, and its record. Rejects with `SendingStopped` alone. */
export async function makeAttempt(claim: DeliveryClaim, parts: AttemptParts): Promise<MadeAttempt> {
  const { delivery, clock, forced } = claim;
  const { event, endpoint } = delivery;
  const { sender, world, manner, schedule } = parts;
  const occurredAt = timeOf(clock, world.now());
  const request = deliveryRequest(delivery, occurredAt, manner);
  const answer = forced === null ? await sender.send(request) : answerOf(forced, sender.excerptBytes);
  const number = delivery.attempts + 1;
  const { outcome, dueIn } = afterAttempt(number, answer, schedule);
  const answered = answer.kind === "answered";
  return {
    nextDueAt: dueIn === null ? null : timeOf(clock, world.now()) + dueIn,
    attempt: {
      id: world.newId(),
      organizationId: event.organizationId,
      deliveryId: delivery.id,
      endpointId: endpoint.id,
      eventId: event.id,
      eventType: event.type,
      url: endpoint.url,
      attempt: number,
      outcome,
      responseStatus: answered ? answer.status : null,
      responseTimeMs: answer.milliseconds,
      requestBodySha256: request.bodySha256,
      requestBodyBytes: request.body.length,
      responseBodyExcerpt: answered ? answer.excerpt : "",
      requestHeaders: request.headers,
      error: answered ? null : answer.error,
      occurredAt,
    },
  };
}
