import type { DocumentedField } from "./documented-field.ts";
import { type DocumentedOperation, everywhere } from "./documented-operation.ts";

/** Known by name: how they refuse a body is not shown. */
const invalidBody = ["400 VALIDATION_FAILED", "422 VALIDATION_FAILED", "400 INVALID_INPUT"] as const;

export const documentedNumberOperations: readonly DocumentedOperation[] = [
  {
    route: "POST /v1/phone-numbers/search",
    scope: null,
    // A preview, not a reservation.
    changes: "nothing",
    answers: everywhere,
    open: invalidBody,
  },
  {
    route: "POST /v1/phone-numbers/orders",
    scope: null,
    // It names its numbers, since a refusal tells which of them are gone: they can be had once.
    changes: "once",
    answers: [
      ...everywhere,
      "402 INSUFFICIENT_CREDIT",
      "409 INSUFFICIENT_INVENTORY",
      "409 CAMPAIGN_NOT_ACTIVE",
      "409 BRAND_NOT_VERIFIED",
    ],
    // What a campaign gets that is not there is not shown.
    open: [...invalidBody, "404 NOT_FOUND"],
  },
  {
    route: "POST /v1/phone-numbers/bulk",
    scope: null,
    answers: [...everywhere, "402 INSUFFICIENT_CREDIT", "409 INSUFFICIENT_INVENTORY"],
    open: invalidBody,
  },
  {
    route: "GET /v1/phone-numbers/{id}",
    scope: null,
    // It is a route that gets something by its id.
    answers: [...everywhere, "404 NOT_FOUND", "400 VALIDATION_FAILED"],
    open: [],
  },
  {
    route: "PATCH /v1/phone-numbers/{id}",
    scope: null,
    answers: [...everywhere, "400 INVALID_INPUT", "404 NOT_FOUND"],
    // How values are refused is not shown, nor whether it is refused as attaching a campaign is.
    open: [
      "400 VALIDATION_FAILED",
      "422 VALIDATION_FAILED",
      "409 NUMBER_NOT_ASSIGNED",
      "409 CAMPAIGN_NOT_ACTIVE",
      "409 BRAND_NOT_VERIFIED",
    ],
  },
  {
    route: "DELETE /v1/phone-numbers/{id}",
    scope: null,
    answers: [...everywhere, "404 NOT_FOUND"],
    // How a malformed id or parameter is refused is not shown.
    open: ["400 VALIDATION_FAILED", "422 VALIDATION_FAILED"],
  },
  {
    route: "POST /v1/phone-numbers/{id}/campaign",
    scope: null,
    // A number has a campaign or none.
    changes: "once",
    answers: [
      ...everywhere,
      "404 NOT_FOUND",
      "409 NUMBER_NOT_ASSIGNED",
      "409 CAMPAIGN_NOT_ACTIVE",
      "409 BRAND_NOT_VERIFIED",
    ],
    // Whether one that is attached already is a conflict is not shown, nor how a malformed id or body is refused.
    open: [...invalidBody, "409 CONFLICT"],
  },
  {
    route: "DELETE /v1/phone-numbers/{id}/campaign",
    scope: null,
    answers: [...everywhere, "404 NOT_FOUND", "409 NUMBER_NOT_ASSIGNED"],
    open: ["400 VALIDATION_FAILED", "422 VALIDATION_FAILED", "409 CONFLICT"],
  },
];

/** Fields that an update of a number takes, and no others. */
export const documentedUpdateFields: readonly string[] = ["inbound_url", "status_url", "label", "campaign_id"];

/** What an order that cannot be met in full tells. */
export const documentedShortage: readonly DocumentedField[] = [
  { name: "available_count", shape: "integer", always: true, ruledOut: [null, "1", 1.5] },
  { name: "unavailable", shape: "array of string", always: true, ruledOut: [null, "+12025550123", ["nobody"]] },
];
