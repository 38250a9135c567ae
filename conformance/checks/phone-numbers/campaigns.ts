import { constants } from "../../../generated/constants.ts";
import type { ErrorRowName } from "../../../generated/error-rows.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { type Exchange, errorOf, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import type { Credential } from "../../provision/tenant.ts";
import { concludeBrand, concludedBrand } from "../../steps/brand.ts";
import { moveCampaignTo, registerCampaign } from "../../steps/campaign.ts";
import { effectOf } from "../../steps/effect-of.ts";
import { availableNumbers, orderNumber, updateNumber } from "../../steps/phone-number.ts";

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
  return [
    { id: pending.id, row: "CampaignNotActive" },
    { id: expired.id, row: "CampaignNotActive" },
    { id: unverified.id, row: "BrandNotVerified" },
  ] as const satisfies readonly { readonly id: string; readonly row: ErrorRowName }[];
}

async function orderWith(t: CheckContext, as: Credential, campaign_id: string): Promise<Exchange> {
  const phone_numbers = await availableNumbers(t, as, 1);
  const body = t.shapeRequest("orderPhoneNumbers", { phone_numbers, campaign_id });
  return t.call("orderPhoneNumbers", { body }, as);
}

/** Orders of numbers that are to send for a campaign. */
export const campaignOrders = check({
  id: "phone-numbers.campaign-orders",
  title: "An order with an active campaign is met, and one with any other is refused and changes nothing",
  rules: ["NUM-10", "NUM-11", "NUM-44"],
  kind: "scenario",
  needs: ["brand-verification", "campaign-move", "state"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const { id } = await activeCampaignOf(t, main);
    const met = await orderWith(t, main, id);
    t.accepted("NUM-44", met);
    t.control(met, "ordering a number with a campaign");
    for (const { id: unfit, row } of await unfitCampaigns(t, main)) {
      const rule = row === "BrandNotVerified" ? "NUM-11" : "NUM-10";
      const { exchange, before, after } = await effectOf(t, tenant, () => orderWith(t, main, unfit));
      t.refused(rule, exchange, row);
      t.equal(rule, "error.details", errorOf(exchange)?.details, undefined, exchange);
      t.equal(rule, "the organization's state", after, before, exchange);
    }
  },
});

/** Updates by which numbers are to send for a campaign. */
export const campaignUpdates = check({
  id: "phone-numbers.campaign-updates",
  title: "An update takes an active campaign, and no other",
  rules: ["NUM-45", "NUM-46"],
  kind: "scenario",
  needs: ["brand-verification", "campaign-move", "state"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const { id } = await orderNumber(t, main);
    const active = await activeCampaignOf(t, main);
    const taken = await updateNumber(t, main, id, { campaign_id: active.id });
    t.verify("NUM-45", isSuccess(taken), {
      expected: "an update with an active campaign of a verified brand",
      actual: summaryOf(taken),
      exchanges: [taken],
    });
    t.control(taken, "updating a number with a campaign");
    for (const { id: campaign_id, row } of await unfitCampaigns(t, main)) {
      const other = await orderNumber(t, main);
      const update = (): Promise<Exchange> => updateNumber(t, main, other.id, { campaign_id });
      const { exchange, before, after } = await effectOf(t, tenant, update);
      t.refused("NUM-46", exchange, row);
      t.equal("NUM-46", "the organization's state", after, before, exchange);
    }
  },
});
