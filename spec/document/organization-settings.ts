import { type DocumentedOperation, everywhere } from "./documented-operation.ts";

export const documentedOrganizationOperations: readonly DocumentedOperation[] = [
  {
    route: "PATCH /v1/organization",
    scope: null,
    answers: [...everywhere, "422 RESELLER_NOT_ELIGIBLE", "422 RESELLER_HAS_BRANDS"],
    // Known by name: how it refuses a body is not shown, nor whether a change that is in effect already is a conflict.
    open: ["400 VALIDATION_FAILED", "422 VALIDATION_FAILED", "400 INVALID_INPUT", "409 CONFLICT"],
  },
];

/** Member of its request that is known by name. */
export const documentedOrganizationMember = "is_reseller";
