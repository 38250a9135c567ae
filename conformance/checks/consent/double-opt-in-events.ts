import { eventType } from "../../../generated/events.ts";
import { inboundText } from "../../arrangements/inbound-text.ts";
import { check } from "../../context/check.ts";
import { askRecipient, longestAnswer } from "../../steps/double-opt-in.ts";
import { eventually } from "../../steps/settle.ts";
import { byFeed, byReceiver, forEachVantage, seenEvents } from "../../steps/vantage.ts";

/** What an endpoint is sent of a double opt-in. Nothing says which operation sends which event, so it is only recorded. */
export const confirmedEvent = forEachVantage([byReceiver, byFeed], ({ watch }) =>
  check({
    id: "consent.confirmed-event",
    title: `A double opt-in that is confirmed is told by ${eventType.consentPendingConfirmed}`,
    rules: ["CON-36"],
    kind: "scenario",
    needs: ["inbound-text", "fresh-organization"],
    effects: ["creates", "sends"],
    draws: {},
    async run(t) {
      const tenant = await t.tenant({ clock: "manual" });
      const main = await tenant.main();
      const [recipient] = t.numbers("answering");
      const watched = await watch(t, main, { events: [eventType.consentPendingConfirmed] });
      const asked = await askRecipient(t, main, recipient);
      await tenant.arrange(inboundText, { from: recipient, text: "YES" });
      const isTold = await eventually(t, tenant, async () => ((await seenEvents(watched)).length > 0 ? true : null));
      const what = isTold === true ? "was sent" : "was not sent in time";
      t.observe("CON-36", `${eventType.consentPendingConfirmed} ${what} after an answer`, asked);
    },
  }),
);

/** The same of one that nobody answers. */
export const expiredEvent = forEachVantage([byReceiver, byFeed], ({ watch }) =>
  check({
    id: "consent.expired-event",
    title: `A double opt-in that expires is told by ${eventType.consentPendingExpired}`,
    rules: ["CON-37"],
    kind: "scenario",
    needs: ["fresh-organization", "manual-clock"],
    effects: ["creates", "sends"],
    draws: {},
    async run(t) {
      const tenant = await t.tenant({ clock: "manual" });
      const main = await tenant.main();
      const [recipient] = t.numbers("answering");
      const watched = await watch(t, main, { events: [eventType.consentPendingExpired] });
      const asked = await askRecipient(t, main, recipient);
      await tenant.advance(longestAnswer, "a double opt-in to expire");
      const isTold = await eventually(t, tenant, async () => ((await seenEvents(watched)).length > 0 ? true : null));
      const what = isTold === true ? "was sent" : "was not sent in time";
      t.observe("CON-37", `${eventType.consentPendingExpired} ${what} when nobody answered`, asked);
    },
  }),
);
