import type { DocumentedField } from "./documented-field.ts";
import { type DocumentedOperation, everywhere } from "./documented-operation.ts";

export const documentedMessageOperations: readonly DocumentedOperation[] = [
  {
    route: "POST /v1/messages",
    scope: "messages:send",
    answers: [
      ...everywhere,
      "422 VALIDATION_FAILED",
      "4xx CONSENT_REQUIRED",
      "422 LINE_TYPE_BLOCKED",
      "422 QUIET_HOURS",
      "422 QUIET_HOURS_BYPASS_FORBIDDEN",
      "429 RATE_LIMITED",
    ],
    // How a body of another structure is refused is not shown, nor a wallet that does not cover the message, nor two calls
    // with one idempotency key at once.
    open: ["400 VALIDATION_FAILED", "400 INVALID_INPUT", "402 INSUFFICIENT_CREDIT", "409 CONFLICT"],
  },
  {
    route: "POST /v1/messages/media-upload",
    scope: null,
    answers: [...everywhere, "503 MMS_DISABLED"],
    // What an upload sends is not shown, nor how one is refused.
    open: ["400 INVALID_INPUT", "400 VALIDATION_FAILED", "422 VALIDATION_FAILED"],
  },
  {
    route: "GET /v1/messages",
    scope: null,
    answers: [...everywhere],
    // What its pages are asked for by, and how a bad page size or cursor is refused, is not shown.
    open: ["400 INVALID_INPUT", "400 VALIDATION_FAILED", "422 VALIDATION_FAILED"],
  },
  {
    route: "GET /v1/messages/{id}",
    scope: null,
    answers: [...everywhere, "404 NOT_FOUND", "400 VALIDATION_FAILED"],
    open: [],
  },
  {
    route: "DELETE /v1/messages/{id}",
    scope: null,
    // 409 for an unknown id too, and never 404.
    answers: [...everywhere, "409 MESSAGE_NOT_CANCELABLE"],
    open: ["400 VALIDATION_FAILED", "422 VALIDATION_FAILED"],
  },
];

/** Members of a request to send that are known by name. */
export const documentedSendMembers = ["to", "body", "scheduled_at", "bypass_quiet_hours"] as const;

/** What is known of a message: like every record it has an id. */
export const documentedMessageFields: readonly DocumentedField[] = [
  { name: "id", shape: "string, uuid", always: true },
];
