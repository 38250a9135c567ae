import { constants } from "../../../generated/constants.ts";
import { refuse } from "../../../generated/error-rows.ts";
import { operations } from "../../../generated/operations.ts";
import type { PhoneNumber } from "../../domain/phone-numbers/phone-number.ts";
import type { Campaign } from "../../domain/registration/campaign.ts";
import { forAnyone, refusingOthers } from "../as-owner.ts";
import type { Mutant } from "../edit.ts";
import { withMembers } from "../ports.ts";
import { idIn, seeing } from "../seen.ts";
import { keepingNumbers, working } from "../unit-changes.ts";
import {
  addingDetails,
  dataOf,
  inPlaceOf,
  isRefusal,
  onAnswer,
  parsed,
  refused,
  refusedWith,
  type Wire,
  withBody,
} from "../wire.ts";
import { bodyOf } from "../wire-requests.ts";
import { mutant, mutantOf, wireMutant } from "./mutant.ts";
import { toAllNumbers } from "./to-all-numbers.ts";

const routes = "routes/phone-numbers.ts";
const domain = "domain/phone-numbers/number-campaign.ts";

/** Finds each number as if it were another one. */
const finding = (change: (number: PhoneNumber) => PhoneNumber | Promise<PhoneNumber>) =>
  keepingNumbers((numbers) => ({
    async find(id) {
      const number = await numbers.find(id);
      return number && change(number);
    },
  }));

const takingForAssigned = finding((number) => ({ ...number, status: constants.assignedNumber }));

const { activeCampaign, expiredCampaign } = constants;

/** Knows each campaign as it was when it was active. */
const rememberingActive = working(() => {
  const active = new Map<string, Campaign>();
  return (tx) => ({
    campaigns: withMembers(tx.campaigns, {
      async find(id) {
        const campaign = await tx.campaigns.find(id);
        if (campaign?.status === activeCampaign) active.set(id, campaign);
        return active.get(id) ?? campaign;
      },
    }),
  });
});

/** Refuses to let go of campaigns that have ended: those that expired, or whose brand could not be verified. */
const keepingEnded =
  (end: "campaign" | "brand"): Wire =>
  (serve) => {
    const sendsFor = new Map<string, string>();
    const brands = new Map<string, string>();
    const ended = new Set<string>();
    return async (request) => {
      const { operation, parameters } = request;
      const { id = "", campaign_id: campaign = "", brand_id: brand = "" } = parameters;
      const body = Object(parsed(request.bytes));
      if (operation === "detachCampaign") {
        const its = sendsFor.get(id) ?? "";
        if (end === "campaign" && ended.has(its)) return refused(refuse.CampaignNotActive("It has ended."));
        if (end === "brand" && ended.has(brands.get(its) ?? ""))
          return refused(refuse.BrandNotVerified("Not verified."));
      }
      const answer = await serve(request);
      const data = dataOf(answer);
      if (data === null) return answer;
      if (operation === "attachCampaign") sendsFor.set(id, String(body.campaign_id));
      if (operation === "createCampaign") brands.set(String(data.id), String(data.brand_id));
      if (operation === "moveCampaign" && body.to === expiredCampaign) ended.add(campaign);
      if (operation === "verifyBrand" && body.verdict === "failed") ended.add(brand);
      return answer;
    };
  };

/** Tells of campaigns that are another organization's what it tells of none that never was. */
const tellingOfOthers =
  (of: "orderPhoneNumbers" | "updatePhoneNumber" | "attachCampaign", which: "any" | "expired"): Wire =>
  (serve) => {
    const known = new Set<unknown>();
    return async (request) => {
      const answer = await serve(request);
      const { operation, parameters } = request;
      const { to, campaign_id: wanted } = Object(parsed(request.bytes));
      if (which === "any" && operation === "createCampaign") known.add(dataOf(answer)?.id);
      if (which === "expired" && operation === "moveCampaign" && to === expiredCampaign)
        known.add(parameters.campaign_id);
      if (operation !== of || !isRefusal(answer, "NotFound") || !known.has(wanted)) return answer;
      return refusedWith(answer, which === "any" ? refuse.Forbidden("Not yours.") : refuse.CampaignNotActive("Over."));
    };
  };

/** Servers that attach campaigns to numbers, or detach them, in a wrong way. */
export const numberAttachmentMutants: readonly Mutant[] = [
  mutantOf("NUM-18", "any", "attaches campaigns to numbers that are not assigned", [takingForAssigned]),
  wireMutant(
    "NUM-18",
    "conflict",
    "calls a number that is not assigned a conflict",
    inPlaceOf("attachCampaign", "NumberNotAssigned", refuse.Conflict("Not now.")),
  ),
  wireMutant(
    "NUM-18",
    "details",
    "gives details of a number that is not assigned",
    addingDetails("attachCampaign", "NumberNotAssigned"),
  ),
  mutantOf("NUM-19", "any", "detaches campaigns from numbers that are not assigned", [takingForAssigned]),
  mutantOf("NUM-19", "done", "detaches a campaign and says that the number is not assigned", [
    keepingNumbers((numbers) => ({
      async find(id) {
        const number = await numbers.find(id);
        if (number?.status === "pending") await numbers.update({ ...number, campaignId: null });
        return number;
      },
    })),
  ]),
  wireMutant(
    "NUM-19",
    "missing",
    "does not find a number that is not assigned",
    inPlaceOf("detachCampaign", "NumberNotAssigned", refuse.NotFound("There is no such number.")),
  ),
  wireMutant(
    "NUM-19",
    "details",
    "gives details of a number that is not assigned when its campaign is to go",
    addingDetails("detachCampaign", "NumberNotAssigned"),
  ),
  mutant(
    "NUM-20",
    "any",
    "attaches campaigns that are not active",
    domain,
    'if (campaign.status !== constants.activeCampaign) return refuse.CampaignNotActive("The campaign is not active.");',
    "",
  ),
  mutantOf("NUM-20", "once-active", "attaches campaigns that were active once", [rememberingActive]),
  mutant(
    "NUM-58",
    "attached",
    "attaches campaigns unless they are pending or have expired",
    domain,
    "campaign.status !== constants.activeCampaign",
    "campaign.status === constants.pendingCampaign || campaign.status === constants.expiredCampaign",
  ),
  wireMutant(
    "NUM-20",
    "missing",
    "does not find a campaign to attach that is not active",
    inPlaceOf("attachCampaign", "CampaignNotActive", refuse.NotFound("There is no such campaign.")),
  ),
  wireMutant(
    "NUM-20",
    "details",
    "gives details of a campaign that is not active",
    addingDetails("attachCampaign", "CampaignNotActive"),
  ),
  mutant(
    "NUM-21",
    "any",
    "attaches campaigns of brands that are not verified",
    domain,
    "return refuseUnverified(brand);",
    "return null;",
  ),
  wireMutant(
    "NUM-21",
    "conflict",
    "calls a brand that is not verified a conflict where its campaign is attached",
    inPlaceOf("attachCampaign", "BrandNotVerified", refuse.Conflict("Not yet.")),
  ),
  wireMutant(
    "NUM-21",
    "details",
    "gives details of a brand whose campaign cannot be attached",
    addingDetails("attachCampaign", "BrandNotVerified"),
  ),
  wireMutant(
    "NUM-22",
    "never",
    "attaches no campaign",
    onAnswer("attachCampaign", (answer) =>
      answer.status < 300 ? refusedWith(answer, refuse.CampaignNotActive("Not yet.")) : answer,
    ),
  ),
  wireMutant(
    "NUM-22",
    "for-ever",
    "detaches no campaign",
    onAnswer("detachCampaign", (answer) =>
      answer.status < 300 ? refusedWith(answer, refuse.Conflict("It stays.")) : answer,
    ),
  ),
  wireMutant("NUM-22", "once", "attaches a campaign to each number once", (serve) => {
    const attached = new Set<string | undefined>();
    return async (request) => {
      const answer = await serve(request);
      const { operation, parameters } = request;
      if (operation !== "attachCampaign" || dataOf(answer) === null) return answer;
      if (attached.has(parameters.id)) return refusedWith(answer, refuse.Conflict("It has had one."));
      attached.add(parameters.id);
      return answer;
    };
  }),
  mutant(
    "NUM-50",
    "toggles",
    "detaches a campaign that is attached a second time",
    routes,
    "if (conflict !== null) return conflict; const attached = { ...number, campaignId };",
    "const attached = { ...number, campaignId: conflict === null ? campaignId : null };",
  ),
  wireMutant(
    "NUM-50",
    "missing",
    "does not find a number that has no campaign to detach",
    inPlaceOf("detachCampaign", "Conflict", refuse.NotFound("There is no campaign.")),
  ),
  mutantOf("NUM-51", "lost", "answers an attachment and does nothing", [
    keepingNumbers((numbers) => ({
      async update(number) {
        const before = await numbers.find(number.id);
        await numbers.update({ ...number, campaignId: before?.campaignId ?? null });
      },
    })),
  ]),
  mutantOf("NUM-51", "kept", "answers a detachment and does nothing", [
    keepingNumbers((numbers) => ({
      async update(number) {
        const before = await numbers.find(number.id);
        await numbers.update({ ...number, campaignId: number.campaignId ?? before?.campaignId ?? null });
      },
    })),
  ]),
  mutantOf("NUM-51", "ordered", "gives the campaign of an order to the first of its numbers alone", [
    keepingNumbers((numbers) => ({
      insert: (ordered) =>
        numbers.insert(ordered.map((number, index) => (index === 0 ? number : { ...number, campaignId: null }))),
    })),
  ]),
  mutantOf("NUM-53", "all", "attaches a campaign to all numbers of an organization", [
    toAllNumbers((numbers, known) => ({
      async update(updated) {
        await numbers.update(updated);
        for (const id of updated.campaignId === null ? [] : known) {
          const other = await numbers.find(id);
          if (other !== null) await numbers.update({ ...other, campaignId: updated.campaignId });
        }
      },
    })),
  ]),
  mutantOf("NUM-53", "by-campaign", "detaches a campaign from all numbers that send for it", [
    toAllNumbers((numbers, known) => ({
      async update(updated) {
        const before = await numbers.find(updated.id);
        await numbers.update(updated);
        for (const id of updated.campaignId === null ? known : []) {
          const other = await numbers.find(id);
          if (other !== null && other.campaignId === before?.campaignId)
            await numbers.update({ ...other, campaignId: null });
        }
      },
    })),
  ]),
  wireMutant("NUM-54", "expired", "does not let go of a campaign that has expired", keepingEnded("campaign")),
  wireMutant("NUM-54", "unverified", "does not let go of one whose brand is not verified", keepingEnded("brand")),
  wireMutant(
    "NUM-55",
    "conflict",
    "calls a number that is not assigned a conflict in an update",
    inPlaceOf("updatePhoneNumber", "NumberNotAssigned", refuse.Conflict("Not now.")),
  ),
  wireMutant(
    "NUM-56",
    "conflict",
    "reports an unknown campaign as not active",
    inPlaceOf("attachCampaign", "NotFound", refuse.CampaignNotActive("It is not active.")),
  ),
  wireMutant("TEN-09", "attach", "attaches campaigns to anybody's numbers", forAnyone("attachCampaign")),
  wireMutant(
    "TEN-09",
    "attach-own",
    "attaches the caller's campaign to any organization's number",
    seeing((seen) => (serve) => async (request) => {
      const answer = await serve(request);
      const isForeign = request.operation === "attachCampaign" && seen.otherOwner(request) !== undefined;
      if (!isForeign || !isRefusal(answer, "NotFound")) return answer;
      const { campaign_id } = Object(bodyOf(request));
      const campaign = await serve({
        ...{ ...request, method: operations.getCampaign.method, operation: operations.getCampaign.id },
        path: operations.getCampaign.path.replace("{id}", String(campaign_id)),
        ...{ parameters: { id: String(campaign_id) }, bytes: Buffer.alloc(0) },
      });
      const data = { id: idIn(request), campaign_id };
      return dataOf(campaign) === null ? answer : withBody({ ...answer, status: 200 }, { success: true, data });
    }),
  ),
  wireMutant("TEN-09", "detach", "detaches campaigns from anybody's numbers", forAnyone("detachCampaign")),
  wireMutant(
    "TEN-09",
    "forbidden",
    "forbids to detach a campaign from another organization's number",
    refusingOthers("detachCampaign", refuse.Forbidden("It is not yours.")),
  ),
  wireMutant("TEN-15", "order", "forbids an order for another's campaign", tellingOfOthers("orderPhoneNumbers", "any")),
  wireMutant(
    "TEN-15",
    "update",
    "tells in an update that another's campaign has expired",
    tellingOfOthers("updatePhoneNumber", "expired"),
  ),
  wireMutant(
    "TEN-15",
    "attach",
    "tells who would attach another's campaign that it has expired",
    tellingOfOthers("attachCampaign", "expired"),
  ),
  wireMutant("TEN-14", "attached", "attaches campaigns to numbers that were released", (serve) => {
    const gone = new Set<string | undefined>();
    return async (request) => {
      const answer = await serve(request);
      const { operation, parameters } = request;
      if (operation === "releasePhoneNumber" && answer.status < 300) gone.add(parameters.id);
      return operation === "attachCampaign" && isRefusal(answer, "NotFound") && gone.has(parameters.id)
        ? { ...withBody(answer, { success: true, data: { id: parameters.id } }), status: 200 }
        : answer;
    };
  }),
];
