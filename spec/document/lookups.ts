import type { DocumentedField } from "./documented-field.ts";
import { type DocumentedOperation, everywhere } from "./documented-operation.ts";

export const documentedLookupOperations: readonly DocumentedOperation[] = [
  {
    route: "POST /v1/lookup",
    scope: null,
    answers: [...everywhere, "402 INSUFFICIENT_CREDIT", "422 LOOKUP_UNSUPPORTED_REGION", "502 LOOKUP_FAILED"],
    // Known by name: how it refuses a body, or two calls with one idempotency key at once, is not shown.
    open: ["400 VALIDATION_FAILED", "422 VALIDATION_FAILED", "400 INVALID_INPUT", "409 CONFLICT"],
  },
  {
    route: "GET /v1/lookup/{lookup_id}",
    scope: null,
    // It is a route that gets something by its id.
    answers: [...everywhere, "404 NOT_FOUND", "400 VALIDATION_FAILED"],
    open: [],
  },
];

/** Header by which a retry returns the existing result, and the routes that take it: those that move money. */
export const documentedIdempotency = {
  header: "Idempotency-Key",
  routes: [
    "POST /v1/lookup",
    "POST /v1/messages",
    "POST /v1/phone-numbers/orders",
    "POST /v1/phone-numbers/bulk",
    "POST /v1/brands",
    "POST /v1/billing/topup",
  ],
} as const;

/** What is known of a lookup. */
export const documentedLookupFields: readonly DocumentedField[] = [
  { name: "id", shape: "string, uuid", always: true },
  {
    name: "line_type",
    shape: "string",
    always: true,
    // Values that were seen; there may be others.
    allowed: ["FIXED", "MOBILE", "VOIP", "VOIP-FIXED"],
    ruledOut: [null, 5],
  },
];
