import { constants } from "../../../generated/constants.ts";
import { type ErrorRowName, refuse } from "../../../generated/error-rows.ts";
import type { OperationId } from "../../../generated/operations.ts";
import type { Mutant } from "../edit.ts";
import {
  dataOf,
  isRefusal,
  onRequest,
  refusedWith,
  type Wire,
  type WireAnswer,
  type WireRequest,
  withData,
} from "../wire.ts";
import { bodyOf, withRequestBody } from "../wire-requests.ts";
import { wireMutant } from "./mutant.ts";

const bodyIn = (request: WireRequest): Readonly<Record<string, unknown>> => Object(bodyOf(request));

/** Registers the campaigns of a brand that has had one as that one. */
const registeringAgain: Wire = (serve) => {
  const first = new Map<unknown, WireAnswer>();
  return async (request) => {
    const answer = await serve(request);
    if (request.operation !== "createCampaign") return answer;
    const brand = bodyIn(request).brand_id;
    if (answer.status < 300) first.set(brand, answer);
    return isRefusal(answer, "BrandNotVerified") ? (first.get(brand) ?? answer) : answer;
  };
};

/** Updates a number as far as the refusal of its campaign lets it. */
const updatingTheRest =
  (...rows: readonly ErrorRowName[]): Wire =>
  (serve) =>
  async (request) => {
    const answer = await serve(request);
    const { campaign_id: campaign, ...others } = bodyIn(request);
    const isMeant = request.operation === "updatePhoneNumber" && campaign !== undefined;
    if (isMeant && rows.some((row) => isRefusal(answer, row))) await serve(withRequestBody(request, others));
    return answer;
  };

/** Takes a brand that is vetted for one that is not verified, in one operation that takes a campaign. */
const wantingVerified =
  (operation: OperationId): Wire =>
  (serve) => {
    const vetted = new Set<unknown>();
    return async (request) => {
      const answer = await serve(request);
      if (request.operation === "verifyBrand" && bodyIn(request).verdict === constants.vettedBrand)
        vetted.add(request.parameters.brand_id);
      if (request.operation === "createCampaign" && vetted.has(bodyIn(request).brand_id))
        vetted.add(dataOf(answer)?.id);
      const isMeant = request.operation === operation && vetted.has(bodyIn(request).campaign_id);
      return isMeant && answer.status < 300 ? refusedWith(answer, notVerified) : answer;
    };
  };

const notVerified = refuse.BrandNotVerified("Its brand is not verified.");

/** Claims deferred messages as soon as time passes. */
const claimingDeferred: Wire = (serve) => {
  const waiting = new Map<unknown, boolean>();
  return async (request) => {
    if (request.operation === "cancelMessage" && waiting.get(request.parameters.id) === true)
      return refusedWith(await serve({ ...request, operation: "getMessage", method: "GET" }), claimed);
    const answer = await serve(request);
    if (request.operation === "sendMessage" && answer.status === 202) waiting.set(dataOf(answer)?.id, false);
    if (request.operation === "advanceClock") for (const id of waiting.keys()) waiting.set(id, true);
    return answer;
  };
};

const claimed = refuse.MessageNotCancelable("It is claimed.");

/** Overlooks what is set to nothing in the notification settings. */
const overlookingNothing: Wire = onRequest("updateNotifications", (request) => {
  const isNothing = (value: unknown): boolean => value === null || JSON.stringify(value) === "{}";
  const kept = Object.entries(bodyIn(request)).filter(([, value]) => !isNothing(value));
  return withRequestBody(request, Object.fromEntries(kept));
});

/** Calls a key used once it has been read. */
const readingIsUse: Wire = (serve) => {
  const read = new Set<unknown>();
  return async (request) => {
    const answer = await serve(request);
    const data = dataOf(answer);
    if (request.operation !== "getApiKey" || data === null) return answer;
    const isAgain = read.has(data.id);
    read.add(data.id);
    return isAgain ? withData(answer, { ...data, last_used_at: data.last_used_at ?? data.created_at }) : answer;
  };
};

/** Servers that go wrong by what was so a while ago, or in the one of several states that is seldom met. */
export const laterStateMutants: readonly Mutant[] = [
  wireMutant("BRD-07", "has-one", "takes further campaigns of a brand that is no longer verified", registeringAgain),
  wireMutant(
    "ENV-61",
    "campaign-and-rest",
    "refuses the campaign of an update, and takes its label",
    updatingTheRest("CampaignNotActive", "BrandNotVerified"),
  ),
  wireMutant(
    "ENV-61",
    "no-campaign-and-rest",
    "finds no campaign for an update, and takes its label",
    updatingTheRest("NotFound"),
  ),
  wireMutant("NUM-22", "vetted", "attaches no campaign of a vetted brand", wantingVerified("attachCampaign")),
  wireMutant("NUM-44", "vetted", "orders for no campaign of a vetted brand", wantingVerified("orderPhoneNumbers")),
  wireMutant("NUM-45", "vetted", "updates with no campaign of a vetted brand", wantingVerified("updatePhoneNumber")),
  wireMutant("MSG-39", "deferred-claimed", "claims deferred messages as soon as time passes", claimingDeferred),
  wireMutant("USR-04", "nothing", "overlooks unknown channels that are set to nothing", overlookingNothing),
  wireMutant("KEYG-05", "again", "calls a key used that has been read", readingIsUse),
];
