import { type DocumentedOperation, everywhere } from "./documented-operation.ts";

export const documentedContactOperations: readonly DocumentedOperation[] = [
  {
    route: "POST /v1/contacts/{contact_number}/erase",
    scope: null,
    // What is erased is gone.
    changes: "once",
    answers: [...everywhere, "429 RATE_LIMITED"],
    // Known by name and limit: what an unknown contact gets, or what is no number, is not shown.
    open: ["404 NOT_FOUND", "400 VALIDATION_FAILED", "422 VALIDATION_FAILED", "400 INVALID_INPUT"],
  },
];

/** Path parameters that are phone numbers, and no ids of records. */
export const documentedNumberParameters: readonly string[] = ["contact_number"];
