import { eventType } from "../../../generated/events.ts";
import { inboundText } from "../../arrangements/inbound-text.ts";
import { check } from "../../context/check.ts";
import { NotApplicable } from "../../outcome/verdict.ts";
import { askRecipient, confirmation, whileUnanswered } from "../../steps/double-opt-in.ts";
import { untilAtRest } from "../../steps/effect-of.ts";
import { eventually } from "../../steps/settle.ts";
import { byFeed, byReceiver, forEachVantage, seenEvents, shownBy } from "../../steps/vantage.ts";

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

/** What an endpoint is sent of one that was confirmed, until long after it would have expired. */
export const endedOnce = forEachVantage([byReceiver, byFeed], ({ watch }) =>
  check({
    id: "consent.ended-once",
    title: "A double opt-in that was told to be confirmed is not told to have expired",
    rules: ["CON-42"],
    kind: "scenario",
    needs: ["inbound-text", "fresh-organization", "manual-clock"],
    effects: ["creates", "sends"],
    draws: {},
    async run(t) {
      const { consentPendingConfirmed: confirmed, consentPendingExpired: expired } = eventType;
      const tenant = await t.tenant({ clock: "manual" });
      const main = await tenant.main();
      const [recipient] = t.numbers("answering");
      const watched = await watch(t, main, { events: [confirmed, expired] });
      const asked = await askRecipient(t, main, recipient);
      await tenant.arrange(inboundText, { from: recipient, text: confirmation });
      const tells = async (type: string) => (await seenEvents(watched)).some(({ eventType: told }) => told === type);
      const isConfirmed = await eventually(t, tenant, async () => ((await tells(confirmed)) ? true : null));
      if (isConfirmed === null) throw new NotApplicable(`the target sends no ${confirmed}`);
      const toldOnTheWay = await whileUnanswered(tenant, async () => ((await tells(expired)) ? true : null));
      await untilAtRest(t, tenant);
      const { shown } = await watched.seen();
      t.verify("CON-42", toldOnTheWay === null && !(await tells(expired)), {
        expected: `no ${expired} of a double opt-in of which ${confirmed} was sent`,
        actual: `${expired} as well`,
        ...shownBy([asked, ...shown]),
        isSilence: true,
      });
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
      const isSeen = async () => ((await seenEvents(watched)).length > 0 ? true : null);
      const isTold = (await whileUnanswered(tenant, isSeen)) ?? (await eventually(t, tenant, isSeen));
      const what = isTold === true ? "was sent" : "was not sent in time";
      t.observe("CON-37", `${eventType.consentPendingExpired} ${what} when nobody answered`, asked);
    },
  }),
);
