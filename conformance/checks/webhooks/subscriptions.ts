import { type EventType, eventTypes } from "../../../generated/events.ts";
import type { Check } from "../../check/check.ts";
import { isSameId } from "../deliveries/settle.ts";
import { byFeed, byReceiver, heardOf, type Witness } from "./witness.ts";

const [one, other, third] = chosenTypes();

/** What endpoints with different subscriptions hear of the same events. */
const subscriptions = ({ name, sight, needs, watched }: Witness): Check => ({
  id: `webhooks.subscriptions-by-${name}`,
  title: `An endpoint is sent the event types that it subscribed to and no others, as ${sight} shows`,
  rules: ["WHE-10"],
  kind: "scenario",
  needs: ["emit", ...needs],
  effects: ["creates"],
  draws: 0,
  async run(t) {
    const tenant = await t.tenant({ manualClock: true });
    const main = await tenant.main();
    const first = await watched(t, main, { events: [one] });
    const second = await watched(t, main, { events: [other] });
    // The last of them tells that those before it have been on their way for a while.
    for (const type of [one, other, third, other, one]) await tenant.emit(type);
    await heardOf(t, first, (heard) => heard.length >= 2);
    await heardOf(t, second, (heard) => heard.length >= 2);
    for (const { endpoint, heard } of [first, second]) {
      const types = [...new Set((await heard()).map(({ type }) => type))];
      t.verify(
        "WHE-10",
        types.every((type) => endpoint.events.some((e) => e === type)),
        {
          expected: `events of ${endpoint.events.join(", ")} only`,
          actual: types.join(", "),
          exchanges: [endpoint.exchange],
        },
      );
    }
  },
});

/** What an endpoint hears after it was deleted, beside one that was not. */
const deletedEndpoint = ({ name, sight, needs, watched }: Witness): Check => ({
  id: `webhooks.deleted-endpoint-by-${name}`,
  title: `A deleted endpoint is sent nothing of what happens later, as ${sight} shows`,
  rules: ["WHE-11"],
  kind: "scenario",
  needs: ["emit", ...needs],
  effects: ["creates"],
  draws: 0,
  async run(t) {
    const tenant = await t.tenant({ manualClock: true });
    const main = await tenant.main();
    const deleted = await watched(t, main, { events: [one] });
    const kept = await watched(t, main, { events: [one] });
    await tenant.emit(one);
    for (const each of [deleted, kept]) await heardOf(t, each, (heard) => heard.length >= 1);
    const before = await deleted.heard();
    const path = { id: deleted.endpoint.id };
    const exchange = t.control(await t.call("deleteWebhookEndpoint", { path }, main), "deleting an endpoint");
    const { id: happened } = await tenant.emit(one);
    await heardOf(t, kept, (heard) => heard.length >= 2);
    // Where the kit is not told the event's id, whatever was not heard of before is taken for it.
    const isIt = (id: string): boolean =>
      happened === null ? !before.some((known) => known.id === id) : isSameId(id, happened);
    const later = (await deleted.heard()).filter(({ id }) => isIt(id));
    t.verify("WHE-11", later.length === 0, {
      expected: "no event that happened after the deletion",
      actual: later.map(({ id }) => id).join(", "),
      exchanges: [exchange],
    });
  },
});

/** Each rule by what reaches the kit's receiver, and without one by what the feed records. */
export const subscriptionChecks: readonly Check[] = [
  ...[subscriptions(byReceiver), subscriptions(byFeed)],
  ...[deletedEndpoint(byReceiver), deletedEndpoint(byFeed)],
];

/** Three types that nothing but the kit makes happen while checks run: those of keys may come with every key. */
function chosenTypes(): readonly [EventType, EventType, EventType] {
  const [first, second, last] = eventTypes.filter((type) => !type.startsWith("api_key."));
  if (first === undefined || second === undefined || last === undefined) throw new Error("The catalog is too small.");
  return [first, second, last];
}
