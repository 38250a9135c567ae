import { type EventType, eventTypes } from "../../../generated/events.ts";
import { emittedEvent } from "../../arrangements/emitted-event.ts";
import { type Check, check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { Endpoint } from "../../steps/endpoint.ts";
import { callReplay } from "../../steps/replay.ts";
import { attemptsAt, eventually, isSameId, settle } from "../../steps/settle.ts";
import {
  byFeed,
  byReceiver,
  forEachVantage,
  type SeenEvent,
  seenEvents,
  untilSeen,
  type Vantage,
  type WatchedEndpoint,
} from "../../steps/vantage.ts";
import { chosenTypes } from "./chosen-types.ts";

const [one, other, third] = chosenTypes;

/** Endpoints with different subscriptions, and what happens then. */
interface Occasion {
  readonly id: string;
  readonly title: string;
  readonly subscriptions: readonly (readonly EventType[])[];
  readonly happened: readonly EventType[];
}

/** The same types several times, and several endpoints that hear of them. */
const fewTypes: Occasion = {
  id: "subscriptions",
  title: "Endpoints are sent the event types that they subscribed to, each of them, and no others",
  // Alone, two at once, and the same again, so that one event has several endpoints to reach.
  subscriptions: [[one], [other], [other, one], [one], [one], [one]],
  happened: [one, other, third, other, one],
};

const everyOther = (from: 0 | 1): readonly EventType[] => eventTypes.filter((_, index) => index % 2 === from);

/** All that there are, among neighbours that begin alike. */
const everyType: Occasion = {
  id: "every-type",
  title: "Every documented type reaches the endpoints that subscribe to it, and no others",
  subscriptions: [eventTypes, everyOther(0), everyOther(1)],
  happened: eventTypes,
};

/** What endpoints with different subscriptions hear of the same events. */
const subscriptions =
  ({ id, title, subscriptions, happened }: Occasion) =>
  ({ watch }: Vantage) =>
    check({
      id: `webhooks.${id}`,
      title,
      rules: ["WHE-10", "WHE-14", "EVT-18"],
      kind: "scenario",
      needs: ["emit"],
      effects: ["creates"],
      draws: {},
      async run(t) {
        const tenant = await t.tenant({ clock: "manual" });
        const main = await tenant.main();
        const all: WatchedEndpoint[] = [];
        for (const events of subscriptions) all.push(await watch(t, main, { events }));
        // What a server sends a new endpoint by itself is its own matter.
        const greetings = new Set((await Promise.all(all.map(seenEvents))).flat().map(({ eventId }) => eventId));
        const heard = async (watched: WatchedEndpoint): Promise<readonly SeenEvent[]> =>
          (await seenEvents(watched)).filter(({ eventId }) => !greetings.has(eventId));
        for (const type of happened) await tenant.arrange(emittedEvent, { type });
        const missing = async (): Promise<readonly (readonly [WatchedEndpoint, EventType])[]> => {
          const looked = all.map(async (each) => [each, lackOf(each.endpoint, happened, await heard(each))] as const);
          return (await Promise.all(looked)).flatMap(([each, lack]) => (lack === null ? [] : [[each, lack] as const]));
        };
        await eventually(t, tenant, async () => ((await missing()).length === 0 ? true : null));
        await settle(tenant);
        const unseen = await missing();
        const silent = (await Promise.all(all.map(seenEvents))).every((events) => events.length === 0);
        if (silent)
          throw new Blocked(
            "no endpoint was sent the events that it subscribed to in time",
            "see WHE-08 and WHL-08 first",
            "server",
          );
        t.verify("WHE-14", unseen.length === 0, {
          expected: "every event at each of the endpoints that subscribe to its type",
          actual:
            unseen.map(([{ endpoint }, lack]) => `endpoint ${endpoint.id} lacks one of ${lack}`).join("; ") || "that",
          exchanges: unseen.map(([{ endpoint }]) => endpoint.exchange),
        });
        for (const watched of all) {
          const { endpoint } = watched;
          const types = new Set((await heard(watched)).map(({ eventType }) => eventType));
          const foreign = [...types].filter((type) => !endpoint.events.some((own) => own === type)).sort();
          t.verify("WHE-10", foreign.length === 0, {
            expected: `events of ${endpoint.events.join(", ")} only`,
            actual: foreignText(
              foreign,
              happened.filter((type) => !types.has(type)),
            ),
            exchanges: [endpoint.exchange],
          });
        }
        if (unseen.length > 0)
          throw new Blocked("an endpoint was not sent an event in time", "see WHE-14 first", "server");
        await judgeIds(t, all, happened);
      },
    });

/** Decides whether what reaches two endpoints has one id at both; each may have been sent more by itself. */
async function judgeIds(
  t: CheckContext,
  all: readonly WatchedEndpoint[],
  happened: readonly EventType[],
): Promise<void> {
  const known = await Promise.all(
    all.map(async (watched) => ({ endpoint: watched.endpoint, events: await seenEvents(watched) })),
  );
  for (const [index, one] of known.entries())
    for (const other of known.slice(index + 1))
      for (const type of new Set(
        happened.filter((each) => [one, other].every(({ endpoint }) => isSubscribed(endpoint, each))),
      )) {
        const common = one.events.filter(
          ({ eventType, eventId }) => eventType === type && other.events.some((each) => each.eventId === eventId),
        );
        const wanted = happened.filter((each) => each === type).length;
        t.verify("EVT-18", common.length >= wanted, {
          expected: `${wanted} events of ${type} with the same ids at two endpoints`,
          actual: `${common.length} with the same id`,
          exchanges: [one.endpoint.exchange, other.endpoint.exchange],
        });
      }
}

/** What an endpoint was sent besides, and what not: what both have in common tells how types are taken for each other. */
const foreignText = (foreign: readonly string[], unsent: readonly string[]): string =>
  `besides ${foreign.join(", ") || "nothing"}${unsent.length === 0 ? "" : `, yet not ${[...new Set(unsent)].join(", ")}`}`;

const isSubscribed = ({ events }: Endpoint, type: EventType): boolean => events.includes(type);

/** A type that an endpoint subscribed to and heard too few events of; null when there is none. */
function lackOf({ events }: Endpoint, happened: readonly EventType[], heard: readonly SeenEvent[]): EventType | null {
  const known = heard.map(({ eventType }) => eventType);
  const count = (types: readonly string[], wanted: string): number => types.filter((type) => type === wanted).length;
  return events.find((type) => count(known, type) < count(happened, type)) ?? null;
}

/** What an endpoint hears after it was deleted, beside one that was not. */
const deletedEndpoint = ({ watch }: Vantage) =>
  check({
    id: "webhooks.deleted-endpoint",
    title: "A deleted endpoint is sent nothing of what happens later, and no replay",
    rules: ["WHE-11", "WHE-14", "WHP-33"],
    kind: "scenario",
    needs: ["emit"],
    effects: ["creates"],
    draws: { deliveryReplays: 1 },
    async run(t) {
      const tenant = await t.tenant({ clock: "manual" });
      const main = await tenant.main();
      const deleted = await watch(t, main, { events: [one] });
      const kept = await watch(t, main, { events: [one] });
      await tenant.arrange(emittedEvent, { type: one });
      for (const each of [deleted, kept]) await untilSeen(t, each, (events) => events.length >= 1);
      const before = await seenEvents(deleted);
      const [record] = (await attemptsAt(t, deleted.endpoint, 1)).records;
      const path = { id: deleted.endpoint.id };
      const exchange = t.control(await t.call("deleteWebhookEndpoint", { path }, main), "deleting an endpoint");
      const { id: happened } = await tenant.arrange(emittedEvent, { type: one });
      await untilSeen(t, kept, (events) => events.length >= 2);
      // Where the kit is not told the event's id, whatever was not heard of before is taken for it.
      const isIt = (id: string): boolean =>
        happened === null ? !before.some(({ eventId }) => eventId === id) : isSameId(id, happened);
      const later = (await seenEvents(deleted)).filter(({ eventId }) => isIt(eventId));
      t.verify("WHE-11", later.length === 0, {
        expected: "no event that happened after the deletion",
        actual: later.map(({ eventId }) => eventId).join(", "),
        exchanges: [exchange],
      });

      if (typeof record?.id !== "string")
        throw new Blocked("a delivery is not in the feed", "see WHL-08 first", "server");
      const known = await seenEvents(deleted);
      const asked = await callReplay(t, main, record.id);
      await tenant.arrange(emittedEvent, { type: one });
      await untilSeen(t, kept, (events) => events.length >= 3);
      const replays = (await seenEvents(deleted)).filter(
        ({ eventId }) => !known.some((each) => each.eventId === eventId),
      );
      t.verify("WHP-33", replays.length === 0, {
        expected: "no replay at the endpoint that was deleted, whatever the answer",
        actual: replays.length === 0 ? "none" : replays.map(({ eventId }) => eventId).join(", "),
        exchanges: [exchange, asked],
      });

      // One that takes its place, of a type that has happened before.
      const next = await watch(t, main, { events: [one] });
      const earlier = (await seenEvents(next)).length;
      await tenant.arrange(emittedEvent, { type: one });
      await untilSeen(t, kept, (events) => events.length >= 4);
      const isSeen = await eventually(t, tenant, async () => ((await seenEvents(next)).length > earlier ? true : null));
      t.verify("WHE-14", isSeen !== null, {
        expected: `an event of ${one} at the endpoint that was created last, as at the one beside it`,
        actual: isSeen === null ? "none in time" : "one",
        isSilence: true,
        exchanges: [next.endpoint.exchange],
      });
    },
  });

/** Each rule by what reaches the kit's receiver, and without one by what the feed records. */
export const subscriptionChecks: readonly Check[] = [
  subscriptions(fewTypes),
  subscriptions(everyType),
  deletedEndpoint,
].flatMap((make) => forEachVantage([byReceiver, byFeed], make));
