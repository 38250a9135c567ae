import { type DocumentedOperation, everywhere } from "./documented-operation.ts";

export const documentedAcceptanceOperations: readonly DocumentedOperation[] = [
  {
    route: "POST /v1/legal-acceptances",
    scope: null,
    caller: "session",
    answers: [...everywhere, "403 USER_REQUIRED"],
    // Known by name: how it refuses a body is not shown.
    open: ["400 VALIDATION_FAILED", "422 VALIDATION_FAILED", "400 INVALID_INPUT"],
  },
];
