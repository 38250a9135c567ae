/** What an OpenAPI document says in extensions, where OpenAPI and JSON Schema have no word of their own. */

/** Beside `enum`: later versions may add values, and clients are told to expect them. */
export const openEnum = "x-bylaw-open-enum";

/** At the schema of what deliveries hold: the open question that it answers, or true where it is no open one. */
export const deliveryBody = "x-bylaw-delivery-body";

/** At an operation; what each holds is said where it is set, in `describe-operations.ts`. */
export const ofOperations = {
  scope: "x-bylaw-scope",
  scopeQuestion: "x-bylaw-scope-question",
  scopeExemption: "x-bylaw-scope-exemption",
  callerQuestion: "x-bylaw-caller-question",
  draws: "x-bylaw-draws",
  changes: "x-bylaw-changes",
  listQuestion: "x-bylaw-list-question",
  idempotencyHeader: "x-bylaw-idempotency-header",
  reference: "x-bylaw-reference",
  rules: "x-bylaw-rules",
} as const;
