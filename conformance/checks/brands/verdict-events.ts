import { constants } from "../../../generated/constants.ts";
import { eventType } from "../../../generated/events.ts";
import { check } from "../../context/check.ts";
import { concludedBrand } from "../../steps/brand.ts";
import { eventually } from "../../steps/settle.ts";
import { byFeed, byReceiver, forEachVantage, seenEvents } from "../../steps/vantage.ts";

const told = [
  [constants.verifiedBrand, eventType.brandVetted],
  ["failed", eventType.brandVettingFailed],
] as const;

/** What an endpoint is sent of a verification. Nothing says which operation sends which event, so it is only recorded. */
export const verdictEvents = forEachVantage([byReceiver, byFeed], ({ watch }) =>
  check({
    id: "brands.verdict-events",
    title: "What came of a brand's verification is told",
    rules: ["BRD-23"],
    kind: "scenario",
    needs: ["key", "brand-verification"],
    effects: ["creates", "spends"],
    draws: {},
    async run(t) {
      for (const [verdict, event] of told) {
        const tenant = await t.otherTenant({ clock: "manual" });
        const main = await tenant.main();
        const watched = await watch(t, main, { events: [event] });
        const { exchange } = await concludedBrand(t, main, verdict);
        const isTold = await eventually(t, tenant, async () =>
          (await seenEvents(watched)).some((one) => one.eventType === event) ? true : null,
        );
        const what = isTold === true ? "was sent" : "was not sent in time";
        t.observe("BRD-23", `${event} ${what} after a brand's verification came to ${verdict}`, exchange);
      }
    },
  }),
);
