import { check, sharedStock } from "../../context/check.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { activeCampaignOf, onceAssigned, orderForCampaign, shownWith } from "../../steps/number-campaign.ts";
import { metOrder, releaseNumber, shownNumber, updateNumber } from "../../steps/phone-number.ts";
import { releasedNumber } from "../../steps/released-number.ts";

/** Numbers of one order, one of which is let go. */
export const releaseBeside = check({
  id: "phone-numbers.release-beside",
  title: "To release a number leaves those that were ordered with it as they were, their campaign and labels too",
  rules: ["NUM-40"],
  inTurn: sharedStock,
  kind: "scenario",
  needs: ["brand-verification", "campaign-move"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant({ clock: "manual" })).main();
    const campaign = await activeCampaignOf(t, main);
    const [one, ...others] = metOrder(t, await orderForCampaign(t, main, campaign.id, 3)).numbers;
    if (one === undefined || others.length === 0)
      throw new Blocked("an order of three numbers shows fewer than two", "see NUM-37 first", "server");
    // All of them have what the others have, so that none is told from them by it.
    for (const { id } of [one, ...others])
      t.control(
        await onceAssigned(t, main, () => updateNumber(t, main, id, { label: "conformance" })),
        "updating a number",
      );
    const before = [];
    for (const { id } of others) before.push({ id, shown: await shownWith(t, main, id, campaign.id) });
    const released = t.control(await onceAssigned(t, main, () => releaseNumber(t, main, one.id)), "releasing a number");
    await releasedNumber(t, main, one.id, released);
    for (const { id, shown } of before)
      t.equal("NUM-40", "a number of the same order", await shownNumber(t, main, id), shown, released);
  },
});
