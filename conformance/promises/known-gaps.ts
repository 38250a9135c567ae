import type { ErrorRowName } from "../../generated/error-rows.ts";
import type { ApiOperationId } from "../context/for-each-operation.ts";
import type { PromisedRow } from "./promised-row.ts";

/** Rows that operations declare and that no check raises, or that the reference never answers with. */
interface KnownGap {
  readonly operations: readonly ApiOperationId[];
  readonly rows: readonly ErrorRowName[];
  readonly reason: string;
  /** Who would have to say more before a check can raise it: the API document, or whoever writes the kit. */
  readonly owner: "document" | "kit";
}

const gaps: readonly KnownGap[] = [
  {
    operations: ["createApiKey", "createWebhookEndpoint", "listDeliveryAttempts"],
    rows: ["ValidationFailed400"],
    reason: "the other status of a failed validation (Q21): checks admit it, and the reference has the one shown",
    owner: "document",
  },
  {
    operations: [
      "rotateApiKey",
      "deleteWebhookEndpoint",
      "rotateEndpointSecret",
      "testWebhookEndpoint",
      "cancelMessage",
      "detachCampaign",
    ],
    rows: ["ValidationFailed"],
    reason: "the other status of a malformed id (Q22): checks admit it, and contrarians answer with it",
    owner: "document",
  },
  {
    operations: ["rotateApiKey", "rotateEndpointSecret", "testWebhookEndpoint", "rotateOrganizationSecret"],
    rows: ["InvalidInput"],
    reason: "the request has no body, and what one gets that is sent all the same is not shown",
    owner: "document",
  },
  {
    operations: ["rotateOrganizationSecret"],
    rows: ["ValidationFailed400", "ValidationFailed"],
    reason: "the request has neither id nor body, and what one gets that is sent all the same is not shown",
    owner: "document",
  },
  {
    operations: ["uploadMedia"],
    rows: ["InvalidInput", "ValidationFailed400", "ValidationFailed"],
    reason: "what an upload sends is not shown (Q171), nor how one is refused",
    owner: "document",
  },
  {
    operations: ["uploadMedia"],
    rows: ["Forbidden", "PlatformRequired"],
    reason: "the reference takes no uploads, and whether a target that takes none says so first is not shown (Q171)",
    owner: "document",
  },
  {
    operations: ["listMessages"],
    rows: ["InvalidInput", "ValidationFailed400", "ValidationFailed"],
    reason: "how a page of messages is asked for is not shown (Q19), nor how a bad size or cursor is refused",
    owner: "document",
  },
  {
    operations: ["getLookupMetrics"],
    rows: ["InvalidInput", "ValidationFailed400", "ValidationFailed"],
    reason: "how metrics are asked for is not shown (Q127), nor how a parameter is refused that is wrong by itself",
    owner: "document",
  },
  {
    operations: ["listDeliveryAttempts"],
    rows: ["InvalidInput", "NotFound"],
    reason: "other lawful answers to a cursor or an endpoint that the server does not know (Q27): checks admit them",
    owner: "document",
  },
  {
    operations: ["rotateApiKey", "replayDelivery", "deleteWebhookEndpoint", "testWebhookEndpoint"],
    rows: ["Conflict"],
    reason: "a lawful answer to a record that is revoked, deleted or inactive; in which state it comes is not shown",
    owner: "document",
  },
  {
    operations: ["createWebhookEndpoint"],
    rows: ["ValidationFailed"],
    reason: "how a creation is refused is not shown: checks want it refused, in whatever way",
    owner: "document",
  },
  {
    operations: ["createLookup"],
    rows: ["ValidationFailed400", "ValidationFailed"],
    reason: "how a number that is none is refused is not shown: checks want it refused, in whatever way",
    owner: "document",
  },
  {
    operations: ["createBrand", "createCampaign", "updateOrganization"],
    rows: ["ValidationFailed400", "ValidationFailed"],
    reason: "what a brand, a campaign or a change of settings takes is not shown, nor how one is refused",
    owner: "document",
  },
  {
    operations: ["updateOrganization"],
    rows: ["Conflict"],
    reason: "whether a change that is in effect already is a conflict is not shown (Q194): checks admit it",
    owner: "document",
  },
  {
    operations: ["createCampaign"],
    rows: ["NotFound"],
    reason: "what a campaign gets whose brand does not exist is not shown (Q193): checks want it refused",
    owner: "document",
  },
  {
    operations: ["getProfile", "updateProfile"],
    rows: ["Forbidden", "UserRequired"],
    reason:
      "whether a profile wants a scope (Q34) or a signed-in user (Q37) is not shown, and the reference wants neither",
    owner: "document",
  },
  {
    operations: ["updateProfile"],
    rows: ["ValidationFailed400", "ValidationFailed"],
    reason: "how a change is refused for anything but its timezone is not shown",
    owner: "document",
  },
  {
    operations: ["getNotifications", "updateNotifications", "createLegalAcceptance"],
    rows: ["Forbidden"],
    reason: "whether it wants a scope beside a signed-in user is not shown (Q34), and the reference wants none",
    owner: "document",
  },
  {
    operations: ["updateNotifications", "createLegalAcceptance"],
    rows: ["ValidationFailed400", "ValidationFailed"],
    reason: "how a change is refused for anything but its keys, and an acceptance at all, is not shown",
    owner: "document",
  },
  {
    operations: ["topUpWallet", "setAutoTopUp"],
    rows: ["ValidationFailed400", "ValidationFailed", "NotFound"],
    reason: "how a product that does not exist is refused is not shown (Q205): checks want it refused, in whatever way",
    owner: "document",
  },
  {
    operations: ["openBillingPortal"],
    rows: ["InvalidInput", "ValidationFailed400", "ValidationFailed"],
    reason: "the request has no body, and what one gets that is sent all the same is not shown",
    owner: "document",
  },
  {
    operations: ["captureConsent", "requestDoubleOptIn", "createHostedForm"],
    rows: ["ValidationFailed400", "ValidationFailed"],
    reason: "how a consent is refused is not shown: checks want it refused, in whatever way",
    owner: "document",
  },
  {
    operations: ["searchPhoneNumbers", "orderPhoneNumbers", "bulkOrderPhoneNumbers"],
    rows: ["ValidationFailed400", "ValidationFailed"],
    reason: "how an order is refused for its body is not shown: checks want it refused, in whatever way",
    owner: "document",
  },
  {
    operations: ["eraseContact"],
    rows: ["ValidationFailed400", "ValidationFailed", "InvalidInput", "NotFound"],
    reason: "what an unknown contact gets, or what is no number, is not shown: checks admit any of them",
    owner: "document",
  },
  {
    operations: ["captureConsentBatch"],
    rows: ["ValidationFailed400"],
    reason: "how a batch is refused for anything but its size is not shown",
    owner: "document",
  },
  {
    operations: ["createLookup"],
    rows: ["Conflict"],
    reason: "what another body under a used idempotency key gets is not shown",
    owner: "document",
  },
  {
    operations: ["sendMessage"],
    rows: ["Conflict"],
    reason: "what another body under a used key gets is not shown (Q98)",
    owner: "document",
  },
  {
    operations: ["sendMessage"],
    rows: ["ValidationFailed400"],
    reason: "the other status of a failed validation (Q21): checks admit it, and the reference has the one shown",
    owner: "document",
  },
];

/** The same, one by one. */
export const knownGaps: readonly (PromisedRow & Pick<KnownGap, "reason" | "owner">)[] = gaps.flatMap(
  ({ operations, rows, ...why }) => operations.flatMap((operation) => rows.map((row) => ({ operation, row, ...why }))),
);

/** Operations that the reference never answers with success. */
export const operationsWithoutSuccess: readonly { readonly operation: ApiOperationId; readonly reason: string }[] = [
  { operation: "uploadMedia", reason: "the reference takes no uploads, and a target need not (Q171)" },
];
