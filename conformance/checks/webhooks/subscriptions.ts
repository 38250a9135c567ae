import type { EventType } from "../../../generated/events.ts";
import type { Check } from "../../check/check.ts";
import { Blocked } from "../../check/verdict.ts";
import { eventually, isSameId, settle } from "../deliveries/settle.ts";
import { chosenTypes } from "./chosen-types.ts";
import { byFeed, byReceiver, heardOf, type Witness, type Witnessed } from "./witness.ts";

const [one, other, third] = chosenTypes;

/** What endpoints with different subscriptions hear of the same events. */
const subscriptions = ({ name, sight, needs, watched }: Witness): Check => ({
  id: `webhooks.subscriptions-by-${name}`,
  title: `Endpoints are sent the event types that they subscribed to, each of them, and no others, as ${sight} shows`,
  rules: ["WHE-10", "WHE-14"],
  kind: "scenario",
  needs: ["emit", ...needs],
  effects: ["creates"],
  draws: 0,
  async run(t) {
    const tenant = await t.tenant({ manualClock: true });
    const main = await tenant.main();
    const all: Witnessed[] = [];
    // Alone, two at once, and the same once more.
    for (const events of [[one], [other], [other, one], [one]]) all.push(await watched(t, main, { events }));
    const happened = [one, other, third, other, one];
    for (const type of happened) await tenant.emit(type);
    const missing = async (): Promise<readonly (readonly [Witnessed, EventType])[]> =>
      (await Promise.all(all.map(async (each) => [each, await lackOf(each, happened)] as const))).flatMap(
        ([each, lack]) => (lack === null ? [] : [[each, lack] as const]),
      );
    await eventually(t, tenant, async () => ((await missing()).length === 0 ? true : null));
    await settle(tenant);
    const unheard = await missing();
    if (unheard.length === all.length)
      throw new Blocked(
        "no endpoint was sent the events that it subscribed to in time",
        "see WHE-08 and WHL-08 first",
        "server",
      );
    t.verify("WHE-14", unheard.length === 0, {
      expected: "every event at each of the endpoints that subscribe to its type",
      actual:
        unheard.map(([{ endpoint }, lack]) => `endpoint ${endpoint.id} lacks one of ${lack}`).join("; ") || "that",
      exchanges: unheard.map(([{ endpoint }]) => endpoint.exchange),
    });
    for (const { endpoint, heard } of all) {
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

/** What an endpoint has heard too little of, that it subscribed to; null when that is nothing. */
async function lackOf({ endpoint, heard }: Witnessed, happened: readonly EventType[]): Promise<EventType | null> {
  const known = (await heard()).map(({ type }) => type);
  const count = (types: readonly string[], wanted: string): number => types.filter((type) => type === wanted).length;
  return endpoint.events.find((type) => count(known, type) < count(happened, type)) ?? null;
}

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
