import { type DocumentedOperation, everywhere } from "./documented-operation.ts";

export const documentedConsentOperations: readonly DocumentedOperation[] = [
  {
    route: "POST /v1/consent",
    scope: null,
    // An opt-in is on file, or it is not.
    changes: "once",
    answers: [...everywhere, "403 PLAN_REQUIRED", "429 RATE_LIMITED"],
    // Known by name: how it refuses a body is not shown.
    open: ["400 VALIDATION_FAILED", "422 VALIDATION_FAILED", "400 INVALID_INPUT"],
  },
  {
    // No plan is too low for it: it is one of the ways that the refusal for the plan names.
    route: "POST /v1/consent/double-opt-in",
    scope: null,
    // While one waits for its answer it is pending, however often it was asked for.
    changes: "once",
    answers: everywhere,
    // Known by name: how it refuses a body is not shown.
    open: ["400 VALIDATION_FAILED", "422 VALIDATION_FAILED", "400 INVALID_INPUT"],
  },
  {
    route: "POST /v1/consent/bulk",
    scope: null,
    changes: "once",
    answers: [...everywhere, "403 PLAN_REQUIRED", "422 VALIDATION_FAILED", "429 RATE_LIMITED"],
    // How it refuses a body for anything but the size of its batch is not shown.
    open: ["400 VALIDATION_FAILED", "400 INVALID_INPUT"],
  },
  {
    // The other way that the refusal for the plan names.
    route: "POST /v1/consent/hosted",
    scope: null,
    answers: everywhere,
    // Known by name: how it refuses a body is not shown.
    open: ["400 VALIDATION_FAILED", "422 VALIDATION_FAILED", "400 INVALID_INPUT"],
  },
];
