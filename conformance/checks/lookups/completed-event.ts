import { randomUUID } from "node:crypto";
import { eventType } from "../../../generated/events.ts";
import { organizationState } from "../../arrangements/organization-state.ts";
import { outage } from "../../arrangements/outage.ts";
import { check } from "../../context/check.ts";
import { isSuccess } from "../../exchange/exchange.ts";
import { NotApplicable } from "../../outcome/verdict.ts";
import { asTimePasses } from "../../steps/as-time-passes.ts";
import { untilAtRest } from "../../steps/effect-of.ts";
import { callLookup, makeLookup, shownIn } from "../../steps/lookup.ts";
import { eventuallyByClock, settle } from "../../steps/settle.ts";
import { byFeed, byReceiver, forEachVantage, seenEvents, shownBy } from "../../steps/vantage.ts";

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
      const isTold = await eventuallyByClock(t, tenant, "a lookup to be finished", async () =>
        (await seenEvents(watched)).some((one) => one.eventType === eventType.lookupCompleted) ? true : null,
      );
      const what = isTold === true ? "was sent" : "was not sent in time";
      t.observe("LKP-19", `${eventType.lookupCompleted} ${what} after a lookup`, exchange);
    },
  }),
);

/** What an endpoint is sent of lookups that failed, and of those that were asked for again by their keys. */
export const completedOnce = forEachVantage([byReceiver, byFeed], ({ watch }) =>
  check({
    id: "lookups.completed-once",
    title: `A lookup is told by ${eventType.lookupCompleted} once, however often it is asked for, and one that failed is not`,
    rules: ["LKP-20"],
    kind: "scenario",
    needs: ["fresh-organization"],
    effects: ["creates", "spends"],
    draws: {},
    async run(t) {
      const [number] = t.numbers("united_states");
      const tenant = await t.tenant({ clock: "manual" });
      const main = await tenant.main();
      const watched = await watch(t, main, { events: [eventType.lookupCompleted] });
      // A new endpoint may be sent something by way of greeting.
      await settle(tenant);
      const greetings = (await seenEvents(watched)).length;
      const exchanges = [];
      if (tenant.can(outage)) {
        await tenant.arrange(outage, { kind: "lookup", calls: 1 });
        exchanges.push(await callLookup(t, main, { number }));
      }
      const key = randomUUID();
      for (let count = 1; count <= 3; count += 1) exchanges.push(await callLookup(t, main, { number, key }));
      // What is told of it comes after what is told of those before, if anything is.
      exchanges.push((await makeLookup(t, main, { number, key: randomUUID() })).exchange);
      const made = new Set(
        exchanges.filter(isSuccess).map((each) => shownIn(t, "createLookup", each).id?.toLowerCase()),
      );
      const isTold = await eventuallyByClock(t, tenant, "a lookup to be finished", async () =>
        (await seenEvents(watched)).length >= greetings + made.size ? true : null,
      );
      if (isTold === null)
        throw new NotApplicable(`the target does not send ${eventType.lookupCompleted} of each lookup`);
      if (tenant.can(organizationState)) await untilAtRest(t, tenant);
      // A daily job may send an event again.
      await asTimePasses(tenant, "an event", () => settle(tenant));
      const told = (await seenEvents(watched)).length - greetings;
      t.verify("LKP-20", told <= made.size, {
        expected: `${made.size} events, of as many lookups`,
        actual: `${told} events`,
        ...shownBy([...exchanges, ...(await watched.seen()).shown]),
        isSilence: true,
      });
    },
  }),
);
