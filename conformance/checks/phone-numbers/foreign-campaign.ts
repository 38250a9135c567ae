import { check, sharedStock } from "../../context/check.ts";
import { codeOf, type Exchange, statusOf, summaryOf } from "../../exchange/exchange.ts";
import { neverIssued } from "../../steps/never-issued.ts";
import {
  activeCampaignOf,
  assignedNumberOf,
  attachCampaign,
  attachedNumber,
  onceAssigned,
  orderForCampaign,
  unfitCampaigns,
} from "../../steps/number-campaign.ts";
import { updateNumber } from "../../steps/phone-number.ts";

/** Campaigns of another organization, whatever their status. */
export const foreignCampaign = check({
  id: "phone-numbers.foreign-campaign",
  title: "Another organization's campaign is to an order, an update and an attachment as if it never was",
  rules: ["TEN-15"],
  inTurn: sharedStock,
  kind: "sampled",
  needs: ["other-organization", "brand-verification", "campaign-move"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant({ clock: "manual" })).main();
    const stranger = await (await t.otherTenant({ clock: "manual" })).main();
    const own = await activeCampaignOf(t, main);
    await attachedNumber(t, main, own.id);
    t.control(await orderForCampaign(t, main, own.id), "ordering a number with a campaign");
    const theirs = [await activeCampaignOf(t, stranger)].map(({ id }) => id);
    // Where they cost what is anybody's, one tells enough.
    if (stranger.tenant.own) theirs.push(...(await unfitCampaigns(t, stranger)).map(({ id }) => id));
    const { id } = await assignedNumberOf(t, main);
    const ways: readonly ((campaign: string) => Promise<Exchange>)[] = [
      (campaign) => orderForCampaign(t, main, campaign),
      (campaign_id) => onceAssigned(t, main, () => updateNumber(t, main, id, { campaign_id })),
      (campaign) => onceAssigned(t, main, () => attachCampaign(t, main, id, campaign)),
    ];
    for (const way of ways) {
      const unknown = await way(neverIssued(own.id, t.random));
      for (const campaign of theirs) {
        const foreign = await way(campaign);
        t.verify("TEN-15", statusOf(foreign) === statusOf(unknown) && codeOf(foreign) === codeOf(unknown), {
          expected: `${summaryOf(unknown)}, as for a campaign that never was`,
          actual: summaryOf(foreign),
          exchanges: [unknown, foreign],
        });
      }
    }
  },
});
