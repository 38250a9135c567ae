import type { ErrorRowName } from "../../../generated/error-rows.ts";
import { eventType } from "../../../generated/events.ts";
import { type OperationId, operations } from "../../../generated/operations.ts";
import type { RuleId } from "../../../generated/rules.ts";
import type { Mutant } from "../edit.ts";
import { type Seen, seeing } from "../seen.ts";
import { isRefusal, type Serve, type Wire, type WireRequest } from "../wire.ts";
import { bodyOf, withKey, withRequestBody, withRequestHeader } from "../wire-requests.ts";
import { wireMutant } from "./mutant.ts";

/** Has an organization do something else beside a request. */
type Aside = (serve: Serve, request: WireRequest) => Promise<unknown>;

const calling =
  (operation: OperationId, body: unknown): Aside =>
  (serve, request) => {
    const { method, path } = operations[operation];
    const called = withRequestHeader(request, "content-type", "application/json");
    return serve(withRequestBody({ ...called, method, path, operation, parameters: {} }, body));
  };

/** Costs something. */
const lookup = calling("createLookup", { phone_number: "+12025550123" });
/** Costs nothing. */
const endpoint = calling("createWebhookEndpoint", {
  url: "https://once.example/",
  events: [eventType.lookupCompleted],
});

/** Does something beside the first request of an organization that is answered so, and beside no further one. */
const onFirst = (
  isMeant: (request: WireRequest, answer: Awaited<ReturnType<Serve>>) => boolean,
  aside: Aside,
  whose: (seen: Seen, request: WireRequest) => string | undefined = (seen, request) =>
    seen.callerOf(request)?.organization,
): Wire =>
  seeing((seen) => (serve) => {
    const begun = new Set<string>();
    return async (request) => {
      const answer = await serve(request);
      const organization = isMeant(request, answer) ? whose(seen, request) : undefined;
      const key = organization === undefined ? undefined : seen.widestKeyOf(organization);
      if (organization === undefined || key === undefined || begun.has(organization)) return answer;
      begun.add(organization);
      await aside(serve, withKey(request, key));
      return answer;
    };
  });

const once = (breaks: RuleId, operation: OperationId, row: ErrorRowName, aside: Aside): Mutant =>
  wireMutant(
    breaks,
    `once-${row}`,
    `the first refusal of ${operation} in an organization changes it`,
    onFirst((request, answer) => request.operation === operation && isRefusal(answer, row), aside),
  );

/** Servers whose refusals change an organization, but only the first one there does. */
export const onceInAnOrganizationMutants: readonly Mutant[] = [
  once("BRD-02", "createBrand", "InsufficientCredit", endpoint),
  once("BRD-04", "createBrand", "ResellerRequired", lookup),
  once("BRD-24", "createCampaign", "BrandNotVerified", endpoint),
  once("BIL-21", "topUpWallet", "BelowMinimumCredit", endpoint),
  once("BIL-22", "setAutoTopUp", "BelowMinimumCredit", endpoint),
  once("LIM-10", "sendMessage", "RateLimited", lookup),
  once("LKP-04", "createLookup", "LookupUnsupportedRegion", lookup),
  once("LKP-06", "createLookup", "InsufficientCredit", endpoint),
  once("MSG-10", "sendMessage", "ConsentRequired", lookup),
  once("MSG-11", "sendMessage", "ConsentRequired", endpoint),
  once("MSG-16", "sendMessage", "LineTypeBlocked", endpoint),
  once("MSG-30", "sendMessage", "QuietHours", lookup),
  once("MSG-45", "cancelMessage", "MessageNotCancelable", endpoint),
  once("NUM-03", "orderPhoneNumbers", "InsufficientCredit", endpoint),
  once("NUM-04", "bulkOrderPhoneNumbers", "InsufficientCredit", endpoint),
  once("NUM-06", "orderPhoneNumbers", "InsufficientInventoryOnOrder", endpoint),
  once("NUM-10", "orderPhoneNumbers", "CampaignNotActive", endpoint),
  once("NUM-11", "orderPhoneNumbers", "BrandNotVerified", endpoint),
  once("ENV-61", "updatePhoneNumber", "CampaignNotActive", endpoint),
  once("ORG-05", "updateOrganization", "ResellerNotEligible", endpoint),
  once("ORG-05", "updateOrganization", "ResellerHasBrands", endpoint),
  once("WHE-05", "createWebhookEndpoint", "LimitExceeded", lookup),
  once("WHE-12", "createWebhookEndpoint", "ValidationFailed", endpoint),
  wireMutant(
    "BIL-07",
    "once-in-an-organization",
    "the first try of an organization to enable auto top-up once more changes it",
    onFirst((request, answer) => Object(bodyOf(request)).enabled === true && isRefusal(answer, "Conflict"), endpoint),
  ),
  wireMutant(
    "NUM-30",
    "once-in-an-organization",
    "charges the first search of an organization",
    onFirst((request, answer) => request.operation === "searchPhoneNumbers" && answer.status < 300, lookup),
  ),
  wireMutant(
    "TEN-20",
    "once-in-an-organization",
    "changes something of another organization the first time that a foreign record is asked for",
    onFirst(
      (request, answer) => request.operation === "getPhoneNumber" && isRefusal(answer, "NotFound"),
      endpoint,
      (seen, request) => seen.otherOwner(request),
    ),
  ),
];
