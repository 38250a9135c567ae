import { eventType } from "../../../generated/events.ts";
import { check } from "../../context/check.ts";
import { makeLookup } from "../../steps/lookup.ts";
import { eventually } from "../../steps/settle.ts";
import { byFeed, byReceiver, forEachVantage, seenEvents } from "../../steps/vantage.ts";

/** What an endpoint is sent of a lookup. Nothing says which operation sends which event, so it is only recorded. */
export const completedEvent = forEachVantage([byReceiver, byFeed], ({ watch }) =>
  check({
    id: "lookups.completed-event",
    title: `A finished lookup is told by ${eventType.lookupCompleted}`,
    rules: ["LKP-19"],
    kind: "scenario",
    needs: ["key"],
    effects: ["creates", "spends"],
    draws: {},
    async run(t) {
      const tenant = await t.tenant({ clock: "manual" });
      const main = await tenant.main();
      const watched = await watch(t, main, { events: [eventType.lookupCompleted] });
      const { exchange } = await makeLookup(t, main);
      const isTold = await eventually(t, tenant, async () =>
        (await seenEvents(watched)).some((one) => one.eventType === eventType.lookupCompleted) ? true : null,
      );
      const what = isTold === true ? "was sent" : "was not sent in time";
      t.observe("LKP-19", `${eventType.lookupCompleted} ${what} after a lookup`, exchange);
    },
  }),
);
