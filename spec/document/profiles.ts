import { type DocumentedOperation, everywhere } from "./documented-operation.ts";

// Known by name: they take keys, which the document says of the routes beside them that they do not, and no scope is named.
export const documentedProfileOperations: readonly DocumentedOperation[] = [
  { route: "GET /v1/me", scope: null, answers: everywhere, open: ["403 USER_REQUIRED"] },
  {
    route: "PATCH /v1/me",
    scope: null,
    answers: [...everywhere, "422 INVALID_TIMEZONE"],
    // How it refuses any other body is not shown.
    open: ["403 USER_REQUIRED", "400 VALIDATION_FAILED", "422 VALIDATION_FAILED", "400 INVALID_INPUT"],
  },
];
