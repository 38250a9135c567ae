import type { DocumentedField } from "./documented-field.ts";
import { type DocumentedOperation, everywhere } from "./documented-operation.ts";
import { documentedEventTypes } from "./events.ts";

interface DocumentedWebhookOperation extends DocumentedOperation {
  /**
   * What the answer is: an endpoint with its new secret; perhaps fields of an endpoint, but no secret; or nothing
   * that the document shows.
   */
  readonly shows: "endpoint and secret" | "perhaps endpoint" | "not shown";
}

export const documentedWebhookOperations: readonly DocumentedWebhookOperation[] = [
  {
    route: "POST /v1/webhooks",
    scope: null,
    answers: [...everywhere, "409 LIMIT_EXCEEDED"],
    // The operation is known by name and by its limit: how it refuses a body is not shown.
    open: ["400 VALIDATION_FAILED", "422 VALIDATION_FAILED", "400 INVALID_INPUT"],
    shows: "perhaps endpoint",
  },
  {
    route: "DELETE /v1/webhooks/{id}",
    scope: null,
    answers: [...everywhere, "404 NOT_FOUND"],
    // Known by name: how it refuses a malformed id or an endpoint that is deleted already is not shown.
    open: ["400 VALIDATION_FAILED", "422 VALIDATION_FAILED", "409 CONFLICT"],
    shows: "perhaps endpoint",
  },
  {
    route: "POST /v1/webhooks/{id}/rotate-secret",
    scope: "webhooks:write",
    answers: [...everywhere, "404 NOT_FOUND"],
    // No rule says how a malformed id or an unwanted body is refused.
    open: ["400 VALIDATION_FAILED", "422 VALIDATION_FAILED", "400 INVALID_INPUT"],
    shows: "endpoint and secret",
  },
  {
    route: "POST /v1/webhooks/{id}/test",
    scope: null,
    answers: [...everywhere, "404 NOT_FOUND"],
    // Known by name: how it refuses a malformed id, a body or an inactive endpoint is not shown.
    open: ["400 VALIDATION_FAILED", "422 VALIDATION_FAILED", "400 INVALID_INPUT", "409 CONFLICT"],
    shows: "not shown",
  },
  {
    route: "POST /v1/webhook-secret/rotate",
    scope: null,
    answers: everywhere,
    // Known by name: whether it takes a body, and how it refuses one, is not shown.
    open: ["400 VALIDATION_FAILED", "422 VALIDATION_FAILED", "400 INVALID_INPUT"],
    shows: "not shown",
  },
];

const time = { allowed: ["2026-01-01T00:00:00Z", "2026-01-01T23:59:59.123456Z"], ruledOut: ["2026-01-01", "today", 0] };

/** Fields of an endpoint; its secret is apart. */
export const documentedEndpointFields: readonly DocumentedField[] = [
  { name: "id", shape: "string, uuid", always: true },
  { name: "org_id", shape: "string, uuid", always: true },
  {
    name: "url",
    shape: "string, uri",
    always: true,
    // Which schemes and hosts a receiver may have, the document does not say.
    allowed: ["https://example.com/hooks", "http://198.51.100.7:8080/hooks?of=one"],
    ruledOut: ["", "hooks", "/hooks", null],
  },
  {
    name: "events",
    shape: "array of string",
    always: true,
    values: documentedEventTypes,
    // Whether there may be none, or one twice, the document does not say.
    allowed: [documentedEventTypes, ["lookup.completed", "lookup.completed"], []],
    ruledOut: [["lookup.complete"], ["Lookup.completed"], ["lookup.completed", "message.sent"], [""], null],
  },
  { name: "active", shape: "boolean", always: true, allowed: [true, false], ruledOut: [null] },
  {
    name: "api_version",
    shape: "string, date",
    always: true,
    // The set of versions is not shown.
    allowed: ["2026-01-01", "2019-12-31"],
    ruledOut: ["2026-1-1", "20260101", "v1", "2026-01-01T00:00:00Z", null],
  },
  { name: "created_at", shape: "string, date-time", always: true, ...time },
  { name: "updated_at", shape: "string, date-time", always: true, ...time },
  {
    name: "deleted_at",
    shape: "string, date-time or null",
    always: true,
    allowed: [...time.allowed, null],
    ruledOut: time.ruledOut,
  },
];

/** What an endpoint has in the answer to its rotation, and nowhere else. */
export const documentedEndpointSecret = {
  name: "secret",
  allowed: ["c2VjcmV0", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "+/+/Zm9vYmFyYmF6cXV4cXV1eGNvcmdlZ3JhdWx0Z2E="],
  ruledOut: ["no base64 at all!", "%%%%", null, 5],
} as const;

export const documentedSecretFlag: DocumentedField = {
  name: "secret_displayed_once",
  shape: "boolean",
  always: true,
  values: [true],
  ruledOut: [false, null, "true"],
};
