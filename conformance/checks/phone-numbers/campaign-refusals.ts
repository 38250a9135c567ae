import { check, sharedStock } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { errorOf, isSuccess } from "../../exchange/exchange.ts";
import { NotApplicable } from "../../outcome/verdict.ts";
import type { Credential } from "../../provision/tenant.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { brandPriceMicros } from "../../steps/brand.ts";
import { leftAsItWas, untilAtRest, watchingEffects } from "../../steps/effect-of.ts";
import { balanceOf } from "../../steps/lookup.ts";
import { activeCampaignOf, orderForCampaign } from "../../steps/number-campaign.ts";
import { haveCommonStock } from "../../steps/number-stock.ts";
import { availableNumbers, lastNumbers, orderBody, orderNumbers } from "../../steps/phone-number.ts";
import { rentOf } from "../../steps/rent.ts";

/** Numbers that the two organizations find together. */
const stock = 20;

/** Orders that name a campaign, which is nothing against them, and are refused for something else. */
export const shortForCampaign = check({
  id: "phone-numbers.short-for-campaign",
  title: "An order for an active campaign that cannot be met in full is refused, and changes nothing",
  rules: ["NUM-05", "NUM-06"],
  inTurn: sharedStock,
  kind: "scenario",
  needs: ["brand-verification", "campaign-move", "other-organization", "state"],
  effects: ["creates", "spends"],
  draws: {},
  run: watchingEffects(async (t, effectOf) => {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const other = await t.otherTenant({ clock: "manual" });
    await haveCommonStock([tenant, other], stock);
    const { asked: held } = await orderNumbers(t, await other.main());
    const campaign = await activeCampaign(t, main);
    for (const free of [await lastNumbers(t, main, 1), []]) {
      const numbers = [...new Set([...free, ...held])];
      const body = orderBody(t, numbers, { campaign_id: campaign });
      const { exchange, before, after } = await effectOf(tenant, () => t.call("orderPhoneNumbers", { body }, main));
      t.refused("NUM-05", exchange, "InsufficientInventoryOnOrder");
      t.equal("NUM-05", "error.details", errorOf(exchange)?.details, undefined, exchange);
      leftAsItWas(t, "NUM-06", { before, after }, exchange);
    }
  }),
});

/** The same where the wallet does not cover them. */
export const uncoveredForCampaign = check({
  id: "phone-numbers.uncovered-for-campaign",
  title: "An order for an active campaign that the wallet does not cover is refused, and changes nothing",
  rules: ["NUM-03"],
  inTurn: sharedStock,
  kind: "scenario",
  needs: ["brand-verification", "campaign-move", "state", "wallet"],
  effects: ["creates", "spends"],
  draws: {},
  run: watchingEffects(async (t, effectOf) => {
    const rent = await rentOf(t, await (await t.tenant({ clock: "manual" })).main());
    const poor = await t.otherTenant({ clock: "manual", wallet_micros: brandPriceMicros + rent - 1 });
    const main = await poor.main();
    const campaign = await activeCampaign(t, main);
    const left = await balanceOf(poor);
    await availableNumbers(t, main, 1);
    const { exchange, before, after } = await effectOf(poor, () => orderForCampaign(t, main, campaign));
    // Organizations may differ in what they pay, and numbers in what they cost.
    if (isSuccess(exchange) && left > 0) throw new NotApplicable(`an order was met for at most ${left} millionths`);
    if (answeredBy(exchange, "InsufficientInventoryOnOrder")) throw new NotApplicable("the number was gone");
    t.refused("NUM-03", exchange, "InsufficientCredit");
    t.equal("NUM-03", "error.details", errorOf(exchange)?.details, undefined, exchange);
    leftAsItWas(t, "NUM-03", { before, after }, exchange);
  }),
});

/** An active campaign, once all that was charged for it is. */
async function activeCampaign(t: CheckContext, as: Credential): Promise<string> {
  const { id } = await activeCampaignOf(t, as);
  await untilAtRest(t, as.tenant);
  return id;
}
