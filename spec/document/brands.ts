import type { DocumentedField } from "./documented-field.ts";
import { type DocumentedOperation, everywhere } from "./documented-operation.ts";

export const documentedBrandOperations: readonly DocumentedOperation[] = [
  {
    route: "POST /v1/brands",
    scope: null,
    answers: [...everywhere, "402 INSUFFICIENT_CREDIT", "422 RESELLER_REQUIRED"],
    // Known by name: how it refuses a body is not shown.
    open: ["400 VALIDATION_FAILED", "422 VALIDATION_FAILED", "400 INVALID_INPUT"],
  },
  {
    route: "GET /v1/brands/{id}",
    scope: null,
    answers: [...everywhere, "404 NOT_FOUND", "400 VALIDATION_FAILED"],
    open: [],
  },
];

export const documentedCampaignOperations: readonly DocumentedOperation[] = [
  {
    route: "POST /v1/campaigns",
    scope: null,
    answers: [...everywhere, "409 BRAND_NOT_VERIFIED"],
    // Known by name: how it refuses a body is not shown, nor what a brand gets that does not exist.
    open: ["400 VALIDATION_FAILED", "422 VALIDATION_FAILED", "400 INVALID_INPUT", "404 NOT_FOUND"],
  },
  {
    route: "GET /v1/campaigns/{id}",
    scope: null,
    answers: [...everywhere, "404 NOT_FOUND", "400 VALIDATION_FAILED"],
    open: [],
  },
];

/** What is known of a brand: like every record it has an id, and two of its identity statuses are named. */
export const documentedBrandFields: readonly DocumentedField[] = [
  { name: "id", shape: "string, uuid", always: true },
  {
    name: "identity_status",
    shape: "string",
    always: true,
    allowed: ["VERIFIED", "VETTED_VERIFIED", "ANOTHER"],
    ruledOut: [null, 5],
  },
];

/** The same of a campaign. */
export const documentedCampaignFields: readonly DocumentedField[] = [
  { name: "id", shape: "string, uuid", always: true },
  {
    name: "status",
    shape: "string",
    always: true,
    allowed: ["PENDING", "ACTIVE", "EXPIRED"],
    ruledOut: [null, 5],
  },
];
