import { check, sharedStock } from "../../context/check.ts";
import { isSuccess } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { activeCampaignOf, assignedNumberOf, attachCampaign, detachCampaign } from "../../steps/number-campaign.ts";
import { readNumber, releaseNumber } from "../../steps/phone-number.ts";
import { releasedNumber } from "../../steps/released-number.ts";

const rounds = 4;

/** Attachments, detachments and releases of one number at once. */
export const releaseRace = check({
  id: "phone-numbers.release-race",
  title: "What attaches a campaign to a number while it is released does not bring the number back",
  rules: ["NUM-57"],
  inTurn: sharedStock,
  kind: "sampled",
  needs: ["brand-verification", "campaign-move"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant({ clock: "manual" })).main();
    const campaign = await activeCampaignOf(t, main);
    let releases = 0;
    for (let round = 1; round <= rounds; round += 1) {
      const { id } = await assignedNumberOf(t, main);
      const attach = () => attachCampaign(t, main, id, campaign.id);
      const release = () => releaseNumber(t, main, id);
      const detach = () => detachCampaign(t, main, id);
      const calls = [attach, attach, release, detach].toSorted(() => t.random() - 0.5);
      const exchanges = await Promise.all(calls.map((call) => call()));
      const released = exchanges[calls.indexOf(release)];
      // One that finds the number busy may be refused.
      if (released === undefined || !isSuccess(released)) continue;
      releases += 1;
      const gone = await releasedNumber(t, main, id, released);
      if (!t.refused("NUM-57", gone, "NotFound")) continue;
      for (const later of [await attach(), await readNumber(t, main, id)]) t.refused("NUM-57", later, "NotFound");
    }
    if (releases === 0)
      throw new Blocked("no number was released while others used it", "see how the target fares under some at once");
  },
});
