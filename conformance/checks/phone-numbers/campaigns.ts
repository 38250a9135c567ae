import { constants } from "../../../generated/constants.ts";
import { check, sharedStock } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { type Exchange, errorOf, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import type { Credential } from "../../provision/tenant.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { leftAsItWas, untilAtRest, watchingEffects } from "../../steps/effect-of.ts";
import { isRefused } from "../../steps/endpoint.ts";
import {
  activeCampaignOf,
  assignedNumberOf,
  attachedNumber,
  onceAssigned,
  orderForCampaign,
  shownWith,
  unfitCampaigns,
} from "../../steps/number-campaign.ts";
import { acceptedFields, shownNumber, updateNumber } from "../../steps/phone-number.ts";
import { chargedOrder } from "../../steps/rent.ts";
import { isSameId } from "../../steps/settle.ts";

/** Verdicts on brands, each of which lets them have campaigns. */
const verdicts = [constants.verifiedBrand, constants.vettedBrand] as const;

/** A label that no other update sets. */
const beside = "beside";

/** Addresses that a new number does not have. */
const addresses = {
  inbound_url: "https://receiver.example.com/inbound",
  status_url: "https://receiver.example.com/status",
} as const;

/** Has a number send for a campaign, or be refused for it with all else that the update has. */
const updateWith = (
  t: CheckContext,
  as: Credential,
  id: string,
  update: Readonly<Record<string, string>>,
): Promise<Exchange> => onceAssigned(t, as, () => updateNumber(t, as, id, update));

/** Whether a number shows a campaign that was attached to it. */
async function showsAttached(t: CheckContext, as: Credential, campaign: string): Promise<boolean> {
  const { id } = await attachedNumber(t, as, campaign);
  return isSameId((await shownWith(t, as, id, campaign)).campaign_id, campaign);
}

/** Orders of numbers that are to send for a campaign. */
export const campaignOrders = check({
  id: "phone-numbers.campaign-orders",
  title: "An order with an active campaign is met, and one with any other is refused and changes nothing",
  rules: ["NUM-02", "NUM-10", "NUM-11", "NUM-44"],
  inTurn: sharedStock,
  kind: "scenario",
  needs: ["brand-verification", "campaign-move", "state"],
  effects: ["creates", "spends"],
  draws: {},
  run: watchingEffects(async (t, effectOf) => {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    for (const verdict of verdicts) {
      const { id } = await activeCampaignOf(t, main, verdict);
      // What registered the campaign may be charged later than it was answered.
      await untilAtRest(t, tenant);
      const { exchange: met, cost } = await chargedOrder(t, main, () => orderForCampaign(t, main, id));
      t.accepted("NUM-44", met);
      t.control(met, "ordering a number with a campaign");
      t.verify("NUM-02", cost > 0, {
        expected: "less in the wallet after an order with a campaign",
        actual: `${cost} millionths of a US dollar charged`,
        exchanges: [met],
      });
    }
    const campaigns = await unfitCampaigns(t, main);
    for (const { id: unfit, row, rows } of campaigns) {
      const rule = row === "BrandNotVerified" ? "NUM-11" : "NUM-10";
      const { exchange, before, after } = await effectOf(tenant, () => orderForCampaign(t, main, unfit));
      t.refused(rule, exchange, ...(await rows()));
      t.equal(rule, "error.details", errorOf(exchange)?.details, undefined, exchange);
      leftAsItWas(t, rule, { before, after }, exchange);
      // Whenever it is asked for, and not the first time only.
      for (let time = 1; time <= 2; time += 1)
        t.refused(rule, await orderForCampaign(t, main, unfit), ...(await rows()));
    }
    // However many numbers are ordered, as long as there are so many and the wallet covers them.
    for (const { id, row, rows } of campaigns) {
      const several = await orderForCampaign(t, main, id, 2);
      if (answeredBy(several, "InsufficientInventoryOnOrder") || answeredBy(several, "InsufficientCredit")) continue;
      t.refused(row === "BrandNotVerified" ? "NUM-11" : "NUM-10", several, ...(await rows()));
    }
  }),
});

/** Updates by which numbers are to send for a campaign. */
export const campaignUpdates = check({
  id: "phone-numbers.campaign-updates",
  title: "An update takes an active campaign, and no other",
  rules: ["ENV-61", "NUM-14", "NUM-38", "NUM-45", "NUM-46", "NUM-59"],
  inTurn: sharedStock,
  kind: "scenario",
  needs: ["brand-verification", "campaign-move", "state"],
  effects: ["creates", "spends"],
  draws: {},
  run: watchingEffects(async (t, effectOf) => {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    for (const verdict of verdicts) {
      // Whether a campaign may take another's place is open.
      const { id } = await assignedNumberOf(t, main);
      const active = await activeCampaignOf(t, main, verdict);
      const odd = { bylaw: "anything", campaign_id: active.id };
      t.refused("NUM-14", await onceAssigned(t, main, () => updateNumber(t, main, id, odd)), "InvalidInput");
      const taken = await updateWith(t, main, id, { label: beside, campaign_id: active.id });
      t.verify("NUM-45", isSuccess(taken), {
        expected: `an update with an active campaign of a brand that is ${verdict}`,
        actual: summaryOf(taken),
        exchanges: [taken],
      });
      t.control(taken, "updating a number with a campaign");
      const { campaign_id, label } = await shownWith(t, main, id, active.id);
      t.equal("NUM-38", "label, which the update had beside a campaign", label, beside, taken);
      if (await showsAttached(t, main, active.id))
        t.verify("NUM-45", isSameId(campaign_id, active.id), {
          expected: `a number with the campaign ${active.id}, which one shows that it was attached to`,
          actual: `campaign_id is ${JSON.stringify(campaign_id)}`,
          exchanges: [taken],
        });
      const renamed = await updateWith(t, main, id, { label: "conformance" });
      t.control(renamed, "updating a number");
      const after = await shownNumber(t, main, id);
      t.equal("NUM-38", "campaign_id, which the update left out", after.campaign_id, campaign_id, renamed);
    }
    const spare = await assignedNumberOf(t, main);
    const changed = { label: "conformance", ...(await acceptedFields(t, main, spare.id, addresses)) };
    for (const { id: campaign_id, row, rows } of await unfitCampaigns(t, main)) {
      const other = await assignedNumberOf(t, main);
      const update = () => updateWith(t, main, other.id, { ...changed, campaign_id });
      const { exchange, before, after } = await effectOf(tenant, update);
      t.refused("NUM-46", exchange, ...(await rows()));
      // With what it is to be refused is inferred; that who is refused changes nothing is not.
      if (isRefused(exchange)) leftAsItWas(t, "ENV-61", { before, after }, exchange);
      // Of a brand that is not verified the document says so of attaching and of orders alone.
      if (row !== "CampaignNotActive") continue;
      const shown = (await shownNumber(t, main, other.id)).campaign_id;
      t.verify("NUM-59", !isSameId(shown, campaign_id), {
        expected: `a number that does not send for ${campaign_id}, which is not active`,
        actual: `campaign_id is ${JSON.stringify(shown)}`,
        exchanges: [exchange],
      });
    }
  }),
});
