import { constants } from "../../../generated/constants.ts";
import type { ErrorRowName } from "../../../generated/error-rows.ts";
import { check, sharedStock } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { type Exchange, errorOf, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import type { Credential } from "../../provision/tenant.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { concludeBrand, concludedBrand } from "../../steps/brand.ts";
import { moveCampaignTo, registerCampaign, statusOfCampaign } from "../../steps/campaign.ts";
import { watchingEffects } from "../../steps/effect-of.ts";
import { availableNumbers, orderBody, orderNumber, updateNumber } from "../../steps/phone-number.ts";
import { eventually } from "../../steps/settle.ts";

const { pendingCampaign, activeCampaign, expiredCampaign, verifiedBrand } = constants;

/** An active campaign of a verified brand. */
async function activeCampaignOf(t: CheckContext, as: Credential) {
  const brand = await concludedBrand(t, as, verifiedBrand);
  const { id } = await registerCampaign(t, as, brand.id);
  await moveCampaignTo(t, as, id, activeCampaign);
  return { id, brandId: brand.id };
}

/** Campaigns that no number can send for, each with the refusal that says so. */
async function unfitCampaigns(t: CheckContext, as: Credential) {
  const pending = await registerCampaign(t, as);
  await moveCampaignTo(t, as, pending.id, pendingCampaign);
  const expired = await activeCampaignOf(t, as);
  await moveCampaignTo(t, as, expired.id, expiredCampaign);
  const unverified = await activeCampaignOf(t, as);
  await concludeBrand(t, as, unverified.brandId, "failed");
  const isActive = (await statusOfCampaign(t, as, unverified.id)) === activeCampaign;
  return [
    { id: pending.id, rows: ["CampaignNotActive"] },
    { id: expired.id, rows: ["CampaignNotActive"] },
    // Its campaigns may end with the verification of a brand; which of both is told then is open.
    { id: unverified.id, rows: isActive ? ["BrandNotVerified"] : ["BrandNotVerified", "CampaignNotActive"] },
  ] as const satisfies readonly { readonly id: string; readonly rows: readonly ErrorRowName[] }[];
}

/** Times that an order is tried whose number others were faster to order. */
const patience = 5;

async function orderWith(t: CheckContext, as: Credential, campaign_id: string): Promise<Exchange> {
  for (let tries = 1; ; tries += 1) {
    const body = orderBody(t, await availableNumbers(t, as, 1), { campaign_id });
    const exchange = await t.call("orderPhoneNumbers", { body }, as);
    // Somebody else may have been faster.
    if (tries === patience || !answeredBy(exchange, "InsufficientInventoryOnOrder")) return exchange;
  }
}

/** Has a number send for a campaign, or be refused for it, as soon as it is assigned: that may come after its order. */
async function updateWith(t: CheckContext, as: Credential, id: string, campaign_id: string): Promise<Exchange> {
  let last = await updateNumber(t, as, id, { campaign_id });
  if (answeredBy(last, "NumberNotAssigned"))
    await eventually(t, as.tenant, async () => {
      last = await updateNumber(t, as, id, { campaign_id });
      return answeredBy(last, "NumberNotAssigned") ? null : true;
    });
  return last;
}

/** Orders of numbers that are to send for a campaign. */
export const campaignOrders = check({
  id: "phone-numbers.campaign-orders",
  title: "An order with an active campaign is met, and one with any other is refused and changes nothing",
  rules: ["NUM-10", "NUM-11", "NUM-44"],
  inTurn: sharedStock,
  kind: "scenario",
  needs: ["brand-verification", "campaign-move", "state"],
  effects: ["creates", "spends"],
  draws: {},
  run: watchingEffects(async (t, effectOf) => {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const { id } = await activeCampaignOf(t, main);
    const met = await orderWith(t, main, id);
    t.accepted("NUM-44", met);
    t.control(met, "ordering a number with a campaign");
    for (const { id: unfit, rows } of await unfitCampaigns(t, main)) {
      const rule = rows[0] === "BrandNotVerified" ? "NUM-11" : "NUM-10";
      const { exchange, before, after } = await effectOf(tenant, () => orderWith(t, main, unfit));
      t.refused(rule, exchange, ...rows);
      t.equal(rule, "error.details", errorOf(exchange)?.details, undefined, exchange);
      t.equal(rule, "the organization's state", after, before, exchange);
    }
  }),
});

/** Updates by which numbers are to send for a campaign. */
export const campaignUpdates = check({
  id: "phone-numbers.campaign-updates",
  title: "An update takes an active campaign, and no other",
  rules: ["NUM-45", "NUM-46"],
  inTurn: sharedStock,
  kind: "scenario",
  needs: ["brand-verification", "campaign-move", "state"],
  effects: ["creates", "spends"],
  draws: {},
  run: watchingEffects(async (t, effectOf) => {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const { id } = await orderNumber(t, main);
    const active = await activeCampaignOf(t, main);
    const taken = await updateWith(t, main, id, active.id);
    t.verify("NUM-45", isSuccess(taken), {
      expected: "an update with an active campaign of a verified brand",
      actual: summaryOf(taken),
      exchanges: [taken],
    });
    t.control(taken, "updating a number with a campaign");
    for (const { id: campaign_id, rows } of await unfitCampaigns(t, main)) {
      const other = await orderNumber(t, main);
      const update = (): Promise<Exchange> => updateWith(t, main, other.id, campaign_id);
      const { exchange, before, after } = await effectOf(tenant, update);
      t.refused("NUM-46", exchange, ...rows);
      t.equal("NUM-46", "the organization's state", after, before, exchange);
    }
  }),
});
