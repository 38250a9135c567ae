import type { DocumentedField } from "./documented-field.ts";
import { type DocumentedOperation, everywhere } from "./documented-operation.ts";
import { documentedEventTypes } from "./events.ts";

export const listRoute = "GET /v1/webhooks/deliveries";
export const replayRoute = "POST /v1/webhooks/deliveries/{id}/replay";

export const documentedDeliveryOperations: readonly DocumentedOperation[] = [
  {
    route: listRoute,
    scope: "webhooks:read",
    answers: [...everywhere, "422 VALIDATION_FAILED"],
    // A bad filter gets a 422; how a cursor is refused that is none, or a filter for a foreign endpoint, is not shown.
    open: ["400 VALIDATION_FAILED", "400 INVALID_INPUT", "404 NOT_FOUND"],
  },
  {
    route: replayRoute,
    scope: "webhooks:write",
    answers: [
      ...everywhere,
      "400 VALIDATION_FAILED",
      "404 NOT_FOUND",
      "410 EVENT_EXPIRED",
      "422 VALIDATION_FAILED",
      "429 RATE_LIMITED",
    ],
    // A body that is no JSON, and an endpoint that is inactive or deleted by now.
    open: ["400 INVALID_INPUT", "409 CONFLICT"],
  },
];

/** Outcomes of an attempt. */
export const documentedOutcomes: readonly string[] = ["success", "retry", "dead"];

const eventId = "evt_3f2504e0-4f89-41d3-9a0c-0305e82c3301";
const time = { allowed: ["2026-01-01T00:00:00Z", "2026-01-01T23:59:59.123456Z"], ruledOut: ["2026-01-01", "today", 0] };
const noEventTypes = ["lookup.complete", "lookup", "Lookup.completed", "lookup.completed ", ""];
const noOutcomes = ["failed", "Success", "RETRY", "success,dead", ""];

const sentHeaders = {
  "Content-Type": "application/json",
  "User-Agent": "Svc-Webhooks/1.0",
  "X-Svc-Event-ID": eventId,
  "X-Svc-Event-Type": "lookup.completed",
  "X-Svc-Signature": "t=1767225600,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd",
};

/** Fields of one attempt. */
export const documentedAttemptFields: readonly DocumentedField[] = [
  { name: "id", shape: "string, uuid", always: true },
  { name: "endpoint_id", shape: "string, uuid", always: true },
  { name: "event_id", shape: "string", always: true, allowed: [eventId], ruledOut: [null] },
  {
    name: "event_type",
    shape: "string",
    always: true,
    values: documentedEventTypes,
    ruledOut: [...noEventTypes, null],
  },
  { name: "url", shape: "string", always: true, allowed: ["https://example.com/hooks"], ruledOut: [null] },
  { name: "attempt", shape: "integer", always: true, allowed: [1, 2, 100], ruledOut: [0, -1, 1.5, "1", null] },
  {
    name: "outcome",
    shape: "string",
    always: true,
    values: documentedOutcomes,
    ruledOut: [...noOutcomes, null],
  },
  {
    name: "response_status",
    shape: "integer",
    always: false,
    perhapsNull: true,
    allowed: [100, 200, 302, 410, 503, 599],
    ruledOut: [200.5, "200"],
  },
  {
    name: "response_time_ms",
    shape: "integer",
    always: false,
    perhapsNull: true,
    allowed: [0, 1, 600_000],
    ruledOut: [1.5, "1"],
  },
  {
    name: "request_body_sha256",
    shape: "string",
    always: true,
    // The encoding of the digest is not shown.
    allowed: [
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      "E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855",
      "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    ],
    ruledOut: [null],
  },
  {
    name: "request_body_bytes",
    shape: "integer",
    always: true,
    allowed: [2, 1_000_000],
    ruledOut: [1.5, "2", null],
  },
  {
    name: "response_body_excerpt",
    shape: "string",
    always: false,
    perhapsNull: true,
    // How much of the body it holds is not shown.
    allowed: ["", "ok", "x".repeat(100_000), "line\nline\u0000"],
    ruledOut: [5],
  },
  {
    name: "request_headers",
    shape: "map of string",
    always: true,
    allowed: [sentHeaders, { ...sentHeaders, "Content-Length": "2" }],
    ruledOut: [{ ...sentHeaders, "Content-Length": 2 }, [], null],
  },
  {
    name: "error",
    shape: "string or null",
    always: true,
    allowed: [null, "timeout", "connection refused by 198.51.100.7"],
    ruledOut: [5, false],
  },
  { name: "occurred_at", shape: "string, date-time", always: true, ...time },
];

/** What these fields hold when no receiver answered is not shown: they may be absent, null, or the value given here. */
export const fieldsOpenWithoutAnswer: readonly { readonly name: string; readonly empty: number | string }[] = [
  { name: "response_status", empty: 0 },
  { name: "response_time_ms", empty: 0 },
  { name: "response_body_excerpt", empty: "" },
];

/** Fields of the answer to a replay. */
export const documentedReplayFields: readonly DocumentedField[] = [
  { name: "delivery_id", shape: "string, uuid", always: true },
  { name: "endpoint_id", shape: "string, uuid", always: true },
  { name: "event_type", shape: "string", always: true, allowed: documentedEventTypes, ruledOut: [null] },
  {
    name: "new_event_id",
    shape: "string",
    always: true,
    allowed: [eventId, "evt_018f4e9a-7c1e-7b3a-9d2f-5c6b7a8d9e0f"],
    ruledOut: [eventId.replace("evt_", ""), "evt_", "evt_12", `${eventId}x`, eventId.replace("evt", "msg"), null],
  },
  { name: "audit_log_id", shape: "string, uuid", always: true },
  { name: "enqueued_at", shape: "string, date-time", always: true, ...time },
];

/** The one field of a replay's body. It may be left out, and the longest reason is not shown. */
export const documentedReason: DocumentedField = {
  name: "reason",
  shape: "string",
  always: false,
  // Whether null stands for no reason is not shown.
  perhapsNull: true,
  allowed: ["the receiver was down", "x".repeat(100_000)],
  ruledOut: [5, true, ["the receiver was down"], { text: "the receiver was down" }],
};

/** Bodies of a replay; extra fields are neither shown nor ruled out. */
export const documentedReplayBodies = {
  allowed: [{}, { reason: "the receiver was down" }],
  ruledOut: [[], "the receiver was down", 5, true],
} as const;

const status = {
  shape: "integer",
  always: false,
  allowed: [100, 101, 404, 598, 599],
  ruledOut: [99, 600, 0, -1, 404.5],
};

/** Query parameters of the list; none is required. Numbers stand as numbers, before they are written into a URL. */
export const documentedListParameters: readonly DocumentedField[] = [
  { name: "cursor", shape: "string", always: false, allowed: ["opaque", "b3BhcXVl.x-_~/+=", "x".repeat(1_000)] },
  { name: "limit", shape: "integer", always: false, allowed: [1, 2, 50, 199, 200], ruledOut: [0, -1, 201, 1.5] },
  { name: "endpoint_id", shape: "string, uuid", always: false },
  { name: "event_type", shape: "string", always: false, values: documentedEventTypes, ruledOut: noEventTypes },
  { name: "outcome", shape: "string", always: false, values: documentedOutcomes, ruledOut: noOutcomes },
  { name: "since", shape: "string, date-time", always: false, ...time },
  { name: "until", shape: "string, date-time", always: false, ...time },
  { name: "http_status_min", ...status },
  { name: "http_status_max", ...status },
];

/** What a parameter stands at when it is left out; no other parameter of the list has a default. */
export const documentedListDefaults: { readonly [parameter: string]: number } = { limit: 50 };
