import { randomUUID } from "node:crypto";
import { constants } from "../../../generated/constants.ts";
import { refuse } from "../../../generated/error-rows.ts";
import type { OperationId } from "../../../generated/operations.ts";
import type { Refusal } from "../../../generated/runtime/refusal.ts";
import { readingOf } from "../contrarians/number-campaigns.ts";
import type { Mutant } from "../edit.ts";
import {
  isRefusal,
  onData,
  parsed,
  refusedWith,
  type Wire,
  type WireAnswer,
  type WireRequest,
  withBody,
} from "../wire.ts";
import { wireMutant } from "./mutant.ts";

const { activeCampaign } = constants;

/** Changes the answers to one operation once something was done before to what it names. */
const after =
  (
    /** The id of what was done something to that counts; null where nothing was. */
    isNoted: (request: WireRequest, answer: WireAnswer) => string | null | undefined,
    to: OperationId,
    named: (request: WireRequest) => string | null | undefined,
    change: (answer: WireAnswer) => WireAnswer,
  ): Wire =>
  (serve) => {
    const noted = new Set<string>();
    return async (request) => {
      const answer = await serve(request);
      const id = request.operation === to ? named(request) : null;
      // What this call itself does counts from the next one on.
      const changed = typeof id === "string" && noted.has(id) ? change(answer) : answer;
      const done = answer.status < 300 ? isNoted(request, answer) : null;
      if (typeof done === "string") noted.add(done);
      return changed;
    };
  };

const bodyIn = ({ bytes }: WireRequest) => Object(parsed(bytes));

const inPath = ({ parameters }: WireRequest): string | undefined => parameters.id;

const brandIn = (request: WireRequest): string => String(bodyIn(request).brand_id);

const campaignIn = (request: WireRequest): string => String(bodyIn(request).campaign_id);

const succeeded = (answer: WireAnswer): WireAnswer => ({
  ...withBody(answer, { success: true, data: { id: randomUUID() } }),
  status: 200,
});

const unless =
  (refusal: Refusal) =>
  (answer: WireAnswer): WireAnswer =>
    answer.status < 300 ? refusedWith(answer, refusal) : answer;

/** Ids of brands whose verification came to this. */
const concluded =
  (isMeant: (verdict: unknown) => boolean) =>
  (request: WireRequest): string | null | undefined =>
    request.operation === "verifyBrand" && isMeant(bodyIn(request).verdict) ? request.parameters.brand_id : null;

const moved =
  (to: string) =>
  (request: WireRequest): string | null | undefined =>
    request.operation === "moveCampaign" && bodyIn(request).to === to ? request.parameters.campaign_id : null;

/** Servers whose states depend on the way there: each move is right by itself. */
export const stateMutants: readonly Mutant[] = [
  wireMutant(
    "BRD-07",
    "once-verified",
    "takes campaigns of a brand that was verified once",
    after(
      concluded((verdict) => verdict !== "failed"),
      "createCampaign",
      brandIn,
      (answer) => (isRefusal(answer, "BrandNotVerified") ? succeeded(answer) : answer),
    ),
  ),
  ...(["BRD-08", "BRD-09"] as const).map((rule) =>
    wireMutant(
      rule,
      "after-failure",
      "takes no campaign of a brand whose verification has failed before",
      after(
        concluded((verdict) => verdict === "failed"),
        "createCampaign",
        brandIn,
        unless(refuse.BrandNotVerified("It has failed.")),
      ),
    ),
  ),
  wireMutant(
    "NUM-10",
    "once-active",
    "orders numbers for campaigns that were active once",
    after(moved(activeCampaign), "orderPhoneNumbers", campaignIn, (answer) =>
      isRefusal(answer, "CampaignNotActive") ? succeeded(answer) : answer,
    ),
  ),
  wireMutant(
    "NUM-44",
    "once-pending",
    "orders no number for a campaign that an order named while it was pending",
    (serve) => {
      const early = new Set<string>();
      return async (request) => {
        const answer = await serve(request);
        if (request.operation !== "orderPhoneNumbers") return answer;
        const campaign = campaignIn(request);
        if (isRefusal(answer, "CampaignNotActive")) early.add(campaign);
        return early.has(campaign) ? unless(refuse.CampaignNotActive("It was not."))(answer) : answer;
      };
    },
  ),
  wireMutant(
    "NUM-22",
    "reassigned",
    "attaches no campaign to a number that was not assigned for a while",
    after(
      ({ operation, parameters }) => (operation === "setNumberAssignment" ? parameters.number_id : null),
      "attachCampaign",
      inPath,
      unless(refuse.NumberNotAssigned("It was not.")),
    ),
  ),
  wireMutant(
    "NUM-57",
    "brought-back",
    "keeps a number that is released while a campaign is attached to it",
    (serve) => {
      const underWay = new Map<string, number>();
      const kept = new Map<string, Promise<WireAnswer>>();
      return async (request) => {
        const { operation, parameters } = request;
        const { id = "" } = parameters;
        if (operation === "attachCampaign") underWay.set(id, (underWay.get(id) ?? 0) + 1);
        const meets = operation === "releasePhoneNumber" && (underWay.get(id) ?? 0) > 0;
        if (meets) kept.set(id, serve(readingOf(request)));
        const answer = await serve(request);
        if (operation === "attachCampaign") underWay.set(id, (underWay.get(id) ?? 0) - 1);
        const before = operation === "getPhoneNumber" && isRefusal(answer, "NotFound") ? await kept.get(id) : undefined;
        return before !== undefined && before.status < 300 ? before : answer;
      };
    },
  ),
  wireMutant(
    "TEN-14",
    "again",
    "releases a number that was released as often as it is asked to",
    after(
      (request) => (request.operation === "releasePhoneNumber" ? request.parameters.id : null),
      "releasePhoneNumber",
      inPath,
      (answer) => (isRefusal(answer, "NotFound") ? succeeded(answer) : answer),
    ),
  ),
  wireMutant(
    "ORG-02",
    "again",
    "turns reseller mode on no more where it was turned off",
    after(
      (request) =>
        request.operation === "updateOrganization" && bodyIn(request).is_reseller === false
          ? request.headers.authorization
          : null,
      "updateOrganization",
      (request) => (bodyIn(request).is_reseller === true ? request.headers.authorization : null),
      unless(refuse.ResellerNotEligible("It was one.")),
    ),
  ),
  wireMutant(
    "KEYC-09",
    "read-revoked",
    "shows a fresh key as revoked when it is read",
    onData("getApiKey", (data) => ({ ...data, revoked_at: data.revoked_at ?? data.created_at })),
  ),
];
