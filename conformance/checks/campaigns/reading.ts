import { randomUUID } from "node:crypto";
import { constants } from "../../../generated/constants.ts";
import { movedCampaign } from "../../arrangements/moved-campaign.ts";
import { check } from "../../context/check.ts";
import { errorOf, isSuccess } from "../../exchange/exchange.ts";
import { concludedBrand } from "../../steps/brand.ts";
import {
  callCampaign,
  campaignIn,
  type RegisteredCampaign,
  readCampaign,
  registerCampaign,
  shownCampaign,
} from "../../steps/campaign.ts";
import { malformedIds } from "../../steps/malformed-ids.ts";
import { refusedAlways } from "../../steps/refused-always.ts";
import { isSameId, onceFound } from "../../steps/settle.ts";

/** Where a campaign comes to in its life. */
const stages = [constants.activeCampaign, constants.expiredCampaign] as const;

/** Campaigns read by their id, and ids under which there is none. */
export const reading = check({
  id: "campaigns.reading",
  title: "An own campaign is read as the one that it is; an unknown id is not found, a malformed one refused",
  rules: ["BRD-26", "BRD-27"],
  kind: "scenario",
  needs: ["key", "brand-verification"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant({ clock: "manual" })).main();
    const brand = await concludedBrand(t, main, constants.verifiedBrand);
    const campaigns: [RegisteredCampaign, ...RegisteredCampaign[]] = [await registerCampaign(t, main, brand.id)];
    // Neither the only one of a brand nor the latest is the one that is asked for, where a brand can have several.
    for (let count = 2; count <= 3; count += 1) {
      const exchange = await callCampaign(t, main, brand.id);
      if (isSuccess(exchange)) campaigns.push(campaignIn(t, exchange));
    }
    for (const campaign of campaigns) {
      const exchange = await onceFound(t, main.tenant, () => readCampaign(t, main, campaign.id));
      t.accepted("BRD-26", exchange);
      if (!isSuccess(exchange)) continue;
      const { id } = shownCampaign(t, "getCampaign", exchange);
      t.verify("BRD-27", isSameId(id, campaign.id), {
        expected: `the campaign ${campaign.id}`,
        actual: String(id),
        exchanges: [campaign.exchange, exchange],
      });
    }
    const [{ id: moved }] = campaigns;
    for (const to of main.tenant.can(movedCampaign) ? stages : []) {
      await main.tenant.arrange(movedCampaign, { campaign_id: moved, to });
      t.accepted("BRD-26", await readCampaign(t, main, moved));
    }
    const unknown = await refusedAlways(t, "BRD-26", () => readCampaign(t, main, randomUUID()), "NotFound");
    t.equal("BRD-26", "error.details", errorOf(unknown)?.details, undefined, unknown);
    for (const id of malformedIds) t.refused("BRD-26", await readCampaign(t, main, id), "ValidationFailed400");
  },
});
