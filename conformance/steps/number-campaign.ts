import { constants } from "../../generated/constants.ts";
import type { ErrorRowName } from "../../generated/error-rows.ts";
import { numberAssignment } from "../arrangements/number-assignment.ts";
import { organizationState } from "../arrangements/organization-state.ts";
import type { CheckContext } from "../context/context.ts";
import { dataOf, type Exchange } from "../exchange/exchange.ts";
import { Blocked } from "../outcome/verdict.ts";
import type { Credential } from "../provision/tenant.ts";
import { answeredBy } from "./answered-by.ts";
import { concludeBrand, concludedBrand } from "./brand.ts";
import { moveCampaignTo, registerCampaign, statusOfCampaign } from "./campaign.ts";
import { untilAtRest } from "./effect-of.ts";
import {
  availableNumbers,
  type HeldNumber,
  numberIn,
  orderBody,
  orderNumber,
  readNumber,
  shownNumber,
} from "./phone-number.ts";
import { eventuallyByClock, isSameId } from "./settle.ts";

const { pendingCampaign, activeCampaign, expiredCampaign, verifiedBrand, assignedNumber } = constants;

/** A campaign that numbers can send for, and its brand. */
export interface ActiveCampaign {
  readonly id: string;
  readonly brandId: string;
}

/** An active campaign of a brand that is verified, by the verdict on it. */
export async function activeCampaignOf(
  t: CheckContext,
  as: Credential,
  verdict: (typeof constants)["verifiedBrand" | "vettedBrand"] = verifiedBrand,
): Promise<ActiveCampaign> {
  const brand = await concludedBrand(t, as, verdict);
  const { id } = await registerCampaign(t, as, brand.id);
  await moveCampaignTo(t, as, id, activeCampaign);
  return { id, brandId: brand.id };
}

/** A campaign that no number can send for. */
export interface UnfitCampaign {
  readonly id: string;
  /** The refusal that says so. */
  readonly row: "CampaignNotActive" | "BrandNotVerified";
  /** All that a refusal which was answered by now may have said. */
  readonly rows: () => Promise<readonly ErrorRowName[]>;
}

/** Ends an active campaign, or the verification of its brand. */
export async function endCampaign(
  t: CheckContext,
  as: Credential,
  { id, brandId }: ActiveCampaign,
  end: "expired" | "unverified",
): Promise<UnfitCampaign> {
  if (end === "expired") await moveCampaignTo(t, as, id, expiredCampaign);
  else await concludeBrand(t, as, brandId, "failed");
  await onceAtRest(t, as);
  if (end === "expired") return { id, row: "CampaignNotActive", rows: async () => ["CampaignNotActive"] };
  return {
    id,
    row: "BrandNotVerified",
    // Campaigns may end with the verification of their brand, or a while after it; which of both is told then is open.
    async rows() {
      const isActive = (await statusOfCampaign(t, as, id)) === activeCampaign;
      return isActive ? ["BrandNotVerified"] : ["BrandNotVerified", "CampaignNotActive"];
    },
  };
}

/** Campaigns that no number can send for, for each of the reasons that there are. */
export async function unfitCampaigns(t: CheckContext, as: Credential): Promise<readonly UnfitCampaign[]> {
  const pending = await registerCampaign(t, as);
  await moveCampaignTo(t, as, pending.id, pendingCampaign);
  return [
    { id: pending.id, row: "CampaignNotActive", rows: async () => ["CampaignNotActive"] },
    await endCampaign(t, as, await activeCampaignOf(t, as), "expired"),
    await endCampaign(t, as, await activeCampaignOf(t, as), "unverified"),
  ];
}

/** Times that an order is tried whose number others were faster to order. */
const patience = 5;

/** Orders a number that is to send for a campaign, whatever the answer. */
export async function orderForCampaign(
  t: CheckContext,
  as: Credential,
  campaign_id: string,
  count = 1,
): Promise<Exchange> {
  for (let tries = 1; ; tries += 1) {
    const body = orderBody(t, await availableNumbers(t, as, count), { campaign_id });
    const exchange = await t.call("orderPhoneNumbers", { body }, as);
    // Somebody else may have been faster.
    if (tries === patience || !answeredBy(exchange, "InsufficientInventoryOnOrder")) return exchange;
  }
}

/** The body of an attachment, written as the target wants it. */
export const attachBody = (t: CheckContext, campaign_id: string): unknown =>
  t.shapeRequest("attachCampaign", { campaign_id });

export const attachCampaign = (t: CheckContext, as: Credential, id: string, campaign: string): Promise<Exchange> =>
  t.call("attachCampaign", { path: { id }, body: attachBody(t, campaign) }, as);

export const detachCampaign = (t: CheckContext, as: Credential, id: string): Promise<Exchange> =>
  t.call("detachCampaign", { path: { id } }, as);

/** Numbers of a check that never came to be assigned, by their ids, and the status that each showed at last. */
const neverAssigned = new WeakMap<CheckContext, Map<string, string | null>>();

/** What a call of a number gets that is assigned: that may come after its order, and take the organization's time. */
export const onceAssigned = (t: CheckContext, as: Credential, call: () => Promise<Exchange>): Promise<Exchange> =>
  onceNot(t, as, ["NumberNotAssigned"], call);

/**
 * What an attachment gets of a number that sends for no campaign, or a detachment of one that does: what attached or
 * detached the campaign before may take effect after its answer, and the number be in another state meanwhile.
 */
export const onceReady = (t: CheckContext, as: Credential, call: () => Promise<Exchange>): Promise<Exchange> =>
  onceNot(t, as, ["NumberNotAssigned", "Conflict"], call);

/**
 * The last answer to a call that is made until none of these refusals comes, for as long as an effect may take. Blocks
 * where it is refused for a number that shows itself that it is not assigned: no more is to be had of it.
 */
async function onceNot(
  t: CheckContext,
  as: Credential,
  rows: readonly ErrorRowName[],
  call: () => Promise<Exchange>,
): Promise<Exchange> {
  const isEarly = (exchange: Exchange): boolean => rows.some((row) => answeredBy(exchange, row));
  let last = await call();
  const isHopeless = (): boolean => answeredBy(last, "NumberNotAssigned") && namesUnassigned(t, last);
  if (isEarly(last) && !isHopeless())
    await eventuallyByClock(t, as.tenant, awaited, async () => {
      last = await call();
      return isEarly(last) ? null : true;
    });
  if (!isHopeless()) return last;
  const shown = [...new Set(neverAssigned.get(t)?.values())].map((status) => status ?? "no status").join(", ");
  const what = `numbers that were ordered do not come to be ${assignedNumber}, and go on to show ${shown}`;
  throw new Blocked(what, "see NUM-37 first", "server");
}

/** What a step waits for that needs a number. */
const awaited = "a number to be assigned";

/** Whether a call was one of a number that never came to be assigned. */
function namesUnassigned(t: CheckContext, { request }: Exchange): boolean {
  const url = request.url.toLowerCase();
  return [...(neverAssigned.get(t)?.keys() ?? [])].some((id) => url.includes(id.toLowerCase()));
}

/** A number to which campaigns can be attached: a set-up step. One that does not show its status is taken for such a one. */
export const assignedNumberOf = async (t: CheckContext, as: Credential): Promise<HeldNumber> =>
  onceItIsAssigned(t, as, await orderNumber(t, as));

/** The same number once it is assigned, where the answer to its order showed that it was not. */
export async function onceItIsAssigned(t: CheckContext, as: Credential, number: HeldNumber): Promise<HeldNumber> {
  const { id, status } = number;
  if (status === null || status === assignedNumber) return number;
  const known = neverAssigned.get(t) ?? new Map<string, string | null>();
  neverAssigned.set(t, known);
  // Where one never was, others are not waited for as long.
  const isAssigned = known.size > 0 ? await showsAssigned(t, as, id) : await isOnceAssigned(t, as, id);
  if (!isAssigned) known.set(id, await statusOfNumber(t, as, id));
  return number;
}

/** Whether a number comes to show that it is assigned; not where it is not there, or shows no status. */
export async function isOnceAssigned(t: CheckContext, as: Credential, id: string): Promise<boolean> {
  if (await showsAssigned(t, as, id)) return true;
  const look = async (): Promise<true | null> => ((await showsAssigned(t, as, id)) ? true : null);
  return (await eventuallyByClock(t, as.tenant, awaited, look)) ?? false;
}

const showsAssigned = async (t: CheckContext, as: Credential, id: string): Promise<boolean> =>
  numberIn(t, dataOf(await readNumber(t, as, id)))?.status === assignedNumber;

/** A number that sends for a campaign: a set-up step. */
export async function attachedNumber(t: CheckContext, as: Credential, campaign: string): Promise<HeldNumber> {
  const number = await assignedNumberOf(t, as);
  const attached = await onceAssigned(t, as, () => attachCampaign(t, as, number.id, campaign));
  t.control(attached, "attaching a campaign");
  return number;
}

/** What is shown of a number once it shows this campaign, or as it is where it never does. */
export async function shownWith(t: CheckContext, as: Credential, id: string, campaign: string) {
  let shown = await shownNumber(t, as, id);
  await eventuallyByClock(t, as.tenant, "the campaign of a number", async () => {
    shown = await shownNumber(t, as, id);
    return isSameId(shown.campaign_id, campaign) ? true : null;
  });
  return shown;
}

/** The status that a number shows; null where it shows none. */
async function statusOfNumber(t: CheckContext, as: Credential, id: string): Promise<string | null> {
  return numberIn(t, dataOf(t.control(await readNumber(t, as, id), "reading a number")))?.status ?? null;
}

/** Lets what follows from an arrangement take its effects, where the target tells the organization's state. */
async function onceAtRest(t: CheckContext, { tenant }: Credential): Promise<void> {
  if (tenant.can(organizationState)) await untilAtRest(t, tenant);
}

/** Has a number be assigned no longer; blocks where it shows that it still is. */
export async function unassign(t: CheckContext, as: Credential, id: string): Promise<void> {
  await as.tenant.arrange(numberAssignment, { phone_number_id: id, assigned: false });
  const isThere = await eventuallyByClock(t, as.tenant, "a number to be unassigned", async () =>
    (await statusOfNumber(t, as, id)) === assignedNumber ? null : true,
  );
  // It may lose its campaign as well, a little later.
  if (isThere !== null) return onceAtRest(t, as);
  const what = `a number has the status ${assignedNumber} after it was to lose it`;
  throw new Blocked(what, "see whether set_number_assignment, or the sandbox, does what it is asked");
}
