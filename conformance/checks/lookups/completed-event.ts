import { eventType } from "../../../generated/events.ts";
import type { Check } from "../../context/check.ts";
import { makeLookup } from "../../steps/lookup.ts";
import { eventually } from "../../steps/settle.ts";
import { byFeed, byReceiver, type Witness } from "../../steps/witness.ts";

/** What an endpoint hears of a lookup. Nothing says which operation sends which event, so it is only recorded. */
const completedEvent = ({ name, sight, needs, watched }: Witness): Check => ({
  id: `lookups.completed-event-by-${name}`,
  title: `A finished lookup is told by ${eventType.lookupCompleted}, as ${sight} shows`,
  rules: ["LKP-19"],
  kind: "scenario",
  needs: [...needs, "key"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const { heard } = await watched(t, main, { events: [eventType.lookupCompleted] });
    const { exchange } = await makeLookup(t, main);
    const isTold = await eventually(t, tenant, async () =>
      (await heard()).some(({ type }) => type === eventType.lookupCompleted) ? true : null,
    );
    const what = isTold === true ? "was sent" : "was not sent in time";
    t.observe("LKP-19", `${eventType.lookupCompleted} ${what} after a lookup`, exchange);
  },
});

export const completedEventChecks: readonly Check[] = [completedEvent(byReceiver), completedEvent(byFeed)];
