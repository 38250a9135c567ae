import { type DocumentedOperation, everywhere } from "./documented-operation.ts";

// Routes known by name: how they refuse a body, or a product that does not exist, is not shown.
const ofBodies = ["400 VALIDATION_FAILED", "422 VALIDATION_FAILED", "400 INVALID_INPUT"] as const;

export const documentedBillingOperations: readonly DocumentedOperation[] = [
  {
    route: "POST /v1/billing/topup",
    scope: null,
    answers: [...everywhere, "402 BELOW_MINIMUM_CREDIT", "404 NO_PLAN"],
    open: [...ofBodies, "404 NOT_FOUND"],
  },
  { route: "GET /v1/billing/topup/products", scope: null, answers: everywhere, open: [] },
  {
    route: "PUT /v1/billing/wallet/auto-topup",
    scope: null,
    answers: [...everywhere, "402 BELOW_MINIMUM_CREDIT", "402 NO_PLAN", "409 CONFLICT"],
    open: [...ofBodies, "404 NOT_FOUND"],
  },
  {
    route: "POST /v1/billing/portal",
    scope: null,
    // It opens a session, which no route shows.
    changes: "nothing",
    answers: [...everywhere, "409 NO_BILLING_CUSTOMER", "502 BILLING_PORTAL_UNAVAILABLE"],
    open: ofBodies,
  },
];
