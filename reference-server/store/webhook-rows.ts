import { type EventType, eventTypes } from "../../generated/events.ts";
import type { Json } from "../../generated/runtime/json.ts";
import type { DeliveryAttempt, Outcome } from "../domain/deliveries/delivery.ts";
import type { ForcedAnswer } from "../domain/deliveries/receiver-answer.ts";
import type { WebhookEndpoint } from "../domain/endpoints/webhook-endpoint.ts";
import type { Event } from "../domain/events/event.ts";
import type { OrganizationSecrets, PreviousSecret } from "../domain/organizations/organization-secrets.ts";
import type { DeliveryAttemptRow, EventRow, OrganizationSecretsRow, WebhookEndpointRow } from "./delivery-tables.ts";

export const rowOfEndpoint = (endpoint: WebhookEndpoint): WebhookEndpointRow => ({
  id: endpoint.id,
  organization_id: endpoint.organizationId,
  url: JSON.stringify(endpoint.url),
  events: JSON.stringify(endpoint.events),
  active: endpoint.active ? 1 : 0,
  api_version: endpoint.apiVersion,
  secret: endpoint.secret,
  created_at: endpoint.createdAt,
  updated_at: endpoint.updatedAt,
  deleted_at: endpoint.deletedAt,
});

export const endpointOf = (row: WebhookEndpointRow): WebhookEndpoint => ({
  id: row.id,
  organizationId: row.organization_id,
  url: textOf(row.url),
  events: eventTypesOf(row.events),
  active: row.active === 1,
  apiVersion: row.api_version,
  secret: row.secret,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  deletedAt: row.deleted_at,
});

export const rowOfEvent = (event: Event): EventRow => ({
  id: event.id,
  organization_id: event.organizationId,
  type: event.type,
  data: JSON.stringify(event.data),
  created_at: event.createdAt,
});

export const eventOf = (row: EventRow): Event => ({
  id: row.id,
  organizationId: row.organization_id,
  type: eventTypeOf(row.type),
  data: objectOf(row.data),
  createdAt: row.created_at,
});

export const rowOfAttempt = (attempt: DeliveryAttempt): DeliveryAttemptRow => ({
  id: attempt.id,
  organization_id: attempt.organizationId,
  delivery_id: attempt.deliveryId,
  endpoint_id: attempt.endpointId,
  event_id: attempt.eventId,
  event_type: attempt.eventType,
  url: JSON.stringify(attempt.url),
  attempt: attempt.attempt,
  outcome: attempt.outcome,
  response_status: attempt.responseStatus ?? noStatus,
  response_time_ms: attempt.responseTimeMs,
  request_body_sha256: attempt.requestBodySha256,
  request_body_bytes: attempt.requestBodyBytes,
  response_body_excerpt: JSON.stringify(attempt.responseBodyExcerpt),
  request_headers: JSON.stringify(attempt.requestHeaders),
  error: attempt.error === null ? null : JSON.stringify(attempt.error),
  occurred_at: attempt.occurredAt,
});

export const attemptOf = (row: DeliveryAttemptRow): DeliveryAttempt => ({
  id: row.id,
  organizationId: row.organization_id,
  deliveryId: row.delivery_id,
  endpointId: row.endpoint_id,
  eventId: row.event_id,
  eventType: eventTypeOf(row.event_type),
  url: textOf(row.url),
  attempt: row.attempt,
  outcome: outcomeOf(row.outcome),
  responseStatus: row.response_status === noStatus ? null : row.response_status,
  responseTimeMs: row.response_time_ms,
  requestBodySha256: row.request_body_sha256,
  requestBodyBytes: row.request_body_bytes,
  responseBodyExcerpt: textOf(row.response_body_excerpt),
  requestHeaders: textsOf(row.request_headers),
  error: row.error === null ? null : textOf(row.error),
  occurredAt: row.occurred_at,
});

/** Stands for the status that nobody answered. */
export const noStatus = 0;

export const outcomes: readonly Outcome[] = ["success", "retry", "dead"];

export const organizationSecretsOf = (row: OrganizationSecretsRow): OrganizationSecrets => ({
  current: row.current,
  previous: previousOf(row.previous),
});

/** As `forceAnswers` wrote it. */
export function forcedAnswerOf(text: string): ForcedAnswer {
  const { status, body, failure } = objectOf(text);
  if (typeof failure === "string") return { failure };
  if (typeof status === "number") return typeof body === "string" ? { status, body } : { status };
  throw new Error("The database holds a forced answer that is none.");
}

/** Written by this file, as is whatever is read below, so only its shape is looked at again. */
export function textOf(text: string): string {
  const value: unknown = JSON.parse(text);
  if (typeof value === "string") return value;
  throw new Error("The database holds something else in place of a text.");
}

function objectOf(text: string): { readonly [name: string]: Json } {
  const value: Json = JSON.parse(text);
  if (isObject(value)) return value;
  throw new Error("The database holds something else in place of an object.");
}

const isObject = (value: Json): value is { readonly [name: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function textsOf(text: string): Readonly<Record<string, string>> {
  const entries = Object.entries(objectOf(text)).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return Object.fromEntries(entries);
}

export function eventTypesOf(text: string): readonly EventType[] {
  const list: unknown = JSON.parse(text);
  if (Array.isArray(list)) return list.map(eventTypeOf);
  throw new Error("The database holds an endpoint whose events are no list.");
}

function eventTypeOf(value: unknown): EventType {
  const type = eventTypes.find((known) => known === value);
  if (type !== undefined) return type;
  throw new Error("The database holds an unknown type of event.");
}

function outcomeOf(text: string): Outcome {
  const outcome = outcomes.find((known) => known === text);
  if (outcome !== undefined) return outcome;
  throw new Error("The database holds an unknown outcome.");
}

function previousOf(text: string): readonly PreviousSecret[] {
  const list: unknown = JSON.parse(text);
  if (Array.isArray(list)) return list.map(previousSecretOf);
  throw new Error("The database holds secrets that are no list.");
}

function previousSecretOf(value: unknown): PreviousSecret {
  if (typeof value === "object" && value !== null && "secret" in value && "validUntil" in value) {
    const { secret, validUntil } = value;
    if (typeof secret === "string" && typeof validUntil === "number") return { secret, validUntil };
  }
  throw new Error("The database holds a secret that is none.");
}
