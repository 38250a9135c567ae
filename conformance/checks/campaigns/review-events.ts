import { constants } from "../../../generated/constants.ts";
import { eventType } from "../../../generated/events.ts";
import { check } from "../../context/check.ts";
import { moveCampaignTo, registerCampaign } from "../../steps/campaign.ts";
import { eventually } from "../../steps/settle.ts";
import { byFeed, byReceiver, forEachVantage, seenEvents } from "../../steps/vantage.ts";

const told = [
  [constants.activeCampaign, eventType.campaignApproved],
  ["rejected", eventType.campaignRejected],
] as const;

/** What an endpoint is sent of a campaign. Nothing says which operation sends which event, so it is only recorded. */
export const reviewEvents = forEachVantage([byReceiver, byFeed], ({ watch }) =>
  check({
    id: "campaigns.review-events",
    title: "What carriers made of a campaign is told",
    rules: ["BRD-28"],
    kind: "scenario",
    needs: ["key", "brand-verification", "campaign-move"],
    effects: ["creates", "spends"],
    draws: {},
    async run(t) {
      for (const [stage, event] of told) {
        const tenant = await t.otherTenant({ clock: "manual" });
        const main = await tenant.main();
        const watched = await watch(t, main, { events: [event] });
        const { id, exchange } = await registerCampaign(t, main);
        await moveCampaignTo(t, main, id, stage);
        const isTold = await eventually(t, tenant, async () =>
          (await seenEvents(watched)).some((one) => one.eventType === event) ? true : null,
        );
        const what = isTold === true ? "was sent" : "was not sent in time";
        t.observe("BRD-28", `${event} ${what} after a campaign came to be ${stage}`, exchange);
      }
    },
  }),
);
