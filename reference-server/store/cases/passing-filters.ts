import type { DeliveryAttempt } from "../../domain/deliveries/delivery.ts";
import type { AttemptFilters } from "../attempts/webhook-store.ts";

/** The filters' own words. */
export function passes(attempt: DeliveryAttempt, filters: AttemptFilters): boolean {
  const { endpointId, eventType, outcome, since, until, statusMin, statusMax, unanswered } = filters;
  const { responseStatus: status } = attempt;
  const isBound = statusMin !== undefined || statusMax !== undefined;
  return (
    (endpointId === undefined || attempt.endpointId === endpointId) &&
    (eventType === undefined || attempt.eventType === eventType) &&
    (outcome === undefined || attempt.outcome === outcome) &&
    (since === undefined || attempt.occurredAt >= since) &&
    (until === undefined || attempt.occurredAt <= until) &&
    (status === null
      ? !isBound || unanswered === "kept"
      : status >= (statusMin ?? 0) && status <= (statusMax ?? Number.POSITIVE_INFINITY))
  );
}
