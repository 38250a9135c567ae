import { type DocumentedOperation, everywhere } from "./documented-operation.ts";

export const documentedNotificationOperations: readonly DocumentedOperation[] = [
  {
    route: "GET /v1/me/notifications",
    scope: null,
    caller: "session",
    answers: [...everywhere, "403 USER_REQUIRED"],
    open: [],
  },
  {
    route: "PATCH /v1/me/notifications",
    scope: null,
    caller: "session",
    answers: [...everywhere, "403 USER_REQUIRED", "422 UNKNOWN_NOTIFICATION_KEY", "422 IMMUTABLE_NOTIFICATION_KEY"],
    // How it refuses any other body is not shown.
    open: ["400 VALIDATION_FAILED", "422 VALIDATION_FAILED", "400 INVALID_INPUT"],
  },
];

/** The key path whose setting is refused, whatever the value. */
export const documentedImmutableKey = "email.security_alerts";
