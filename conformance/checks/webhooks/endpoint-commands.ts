import type * as fc from "fast-check";
import type { EventType } from "../../../generated/events.ts";
import { emittedEvent } from "../../arrangements/emitted-event.ts";
import { isSuccess } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { rotateSecret } from "../../steps/endpoint.ts";
import { type Feed, readFeed } from "../../steps/feed.ts";
import { testEndpoint } from "../../steps/make-event.ts";
import { callReplay, replayedIn } from "../../steps/replay.ts";
import { attemptsAt, eventually, isSameId } from "../../steps/settle.ts";
import type { Met } from "../../steps/vantage.ts";
import {
  type EndpointModel,
  type EndpointWorld,
  isSound,
  type KnownEndpoint,
  noteEvent,
  type Owner,
} from "./endpoint-model.ts";
import { judgeAll, judgeArrival, meet } from "./judge-endpoint-life.ts";

export type EndpointCommand = fc.AsyncCommand<EndpointModel, EndpointWorld>;

/** A command after which everything is judged. */
const command = (
  name: string,
  argumentsText: string,
  run: (model: EndpointModel, world: EndpointWorld) => Promise<void>,
): EndpointCommand => ({
  check: () => true,
  async run(model, world) {
    await run(model, world);
    await judgeAll(model, world);
  },
  toString: () => `${name}(${argumentsText})`,
});

/** A command that acts on one of the endpoints there are, deleted ones included. */
const onEndpoint = (
  name: string,
  index: number,
  run: (endpoint: KnownEndpoint, model: EndpointModel, world: EndpointWorld) => Promise<void>,
  more: readonly unknown[] = [],
): EndpointCommand => ({
  ...command(name, [index, ...more].join(", "), async (model, world) => {
    const endpoint = model.endpoints[index % model.endpoints.length];
    if (endpoint !== undefined) await run(endpoint, model, world);
  }),
  check: ({ endpoints }) => endpoints.length > 0,
});

/** Creates an endpoint whose secret is known. */
export const creation = (owner: Owner, events: readonly EventType[]): EndpointCommand =>
  command("create", [owner, ...events].join(", "), async ({ endpoints }, { t, vantage, owners }) => {
    const watched = await vantage.watch(t, owners[owner], { events });
    const secrets = [await rotateSecret(t, watched.endpoint)];
    endpoints.push({
      ...{ owner, watched, secrets, meets: 200, hasFailed: false, deletion: null },
      ...{ counts: new Map(), taken: new Map(), signed: [] },
    });
  });

const pathOf = ({ watched }: KnownEndpoint): { readonly id: string } => ({ id: watched.endpoint.id });

export const deletion = (index: number): EndpointCommand =>
  onEndpoint("delete", index, async (endpoint, _, { t, owners }) => {
    const exchange = await t.call("deleteWebhookEndpoint", { path: pathOf(endpoint) }, owners[endpoint.owner]);
    if (endpoint.deletion !== null) {
      t.refused("WHE-13", exchange, "NotFound");
      return;
    }
    t.control(exchange, "deleting an endpoint");
    endpoint.deletion = { exchange, attempts: (await endpoint.watched.seen()).attempts.length };
  });

export const rotation = (index: number): EndpointCommand =>
  onEndpoint("rotate", index, async (endpoint, _, { t, owners }) => {
    if (endpoint.deletion === null) {
      endpoint.secrets.push(await rotateSecret(t, endpoint.watched.endpoint));
      return;
    }
    const called = await t.call("rotateEndpointSecret", { path: pathOf(endpoint) }, owners[endpoint.owner]);
    t.refused("WHR-16", called, "NotFound");
  });

/** An event happens. */
export const emission = (owner: Owner, type: EventType): EndpointCommand =>
  command("emit", `${owner}, ${type}`, async (model, world) => {
    const { id } = await world.owners[owner].tenant.arrange(emittedEvent, { type });
    if (id === null)
      throw new Blocked("nobody tells the id of an event that was emitted", "have the emit_event hook tell it");
    const event = noteEvent(model, { id, owner, type, came: "by itself", only: null, exchange: null });
    const endpoints = model.endpoints.filter(
      (each) => each.owner === owner && isSound(each) && each.watched.endpoint.events.includes(type),
    );
    await judgeArrival(world, model, { event, rule: "WHE-14", endpoints });
  });

/** From now on attempts at an endpoint meet another answer. */
export const answering = (index: number, met: Met): EndpointCommand =>
  onEndpoint("answer", index, (endpoint) => meet(endpoint, met), [met]);

export const moving = (owner: Owner, seconds: number): EndpointCommand =>
  command("advance", `${owner}, ${seconds}`, async ({ elapsed }, { owners }) => {
    await owners[owner].tenant.advance(seconds, "attempts that fall due");
    elapsed[owner] += seconds;
  });

export const testing = (index: number): EndpointCommand =>
  onEndpoint("test", index, async (endpoint, model, world) => {
    const { t, owners } = world;
    if (!t.serves("testWebhookEndpoint")) return;
    if (endpoint.deletion !== null) {
      const called = await t.call("testWebhookEndpoint", { path: pathOf(endpoint) }, owners[endpoint.owner]);
      t.refused("WHE-13", called, "NotFound");
      return;
    }
    // A server may have switched off what failed.
    if (endpoint.hasFailed) return;
    const { id, type, exchange } = await testEndpoint(t, endpoint.watched.endpoint);
    if (id === null) return;
    const came = { owner: endpoint.owner, type: type ?? "no known type", came: "of a test", only: endpoint } as const;
    const event = noteEvent(model, { id, ...came, exchange });
    await judgeArrival(world, model, { event, rule: "WHE-08", endpoints: isSound(endpoint) ? [endpoint] : [] });
  });

/** Replays what was sent to an endpoint last. */
export const replaying = (index: number): EndpointCommand =>
  onEndpoint("replay", index, async (endpoint, model, world) => {
    const { t, owners } = world;
    const original = [...endpoint.counts.keys()].findLast((id) => model.events.has(id));
    const type = model.events.get(original ?? "")?.type;
    if (original === undefined || type === undefined) return;
    const id = await recordOf(model, endpoint, original, world);
    if (id === null) return;
    const exchange = await callReplay(t, owners[endpoint.owner], id);
    const isOwed = isSound(endpoint) && !answeredBy(exchange, "EventExpired");
    if (isOwed) t.accepted("WHP-01", exchange);
    if (!isSuccess(exchange)) return;
    const { eventId } = replayedIn(exchange);
    const isFresh = !model.events.has(eventId.toLowerCase());
    t.verify("EVT-16", isFresh, {
      expected: "an event id that no other event has",
      actual: isFresh ? "such a one" : eventId,
      exchanges: [exchange],
    });
    if (!isFresh) return;
    const event = noteEvent(model, {
      ...{ id: eventId, owner: endpoint.owner, type, came: "of a replay", only: endpoint, exchange },
    });
    await judgeArrival(world, model, { event, rule: "WHP-13", endpoints: isOwed ? [endpoint] : [] });
  });

/** The record of an event's attempt at an endpoint; null where the feed shows none: of a deleted one it need not. */
async function recordOf(
  { records }: EndpointModel,
  endpoint: KnownEndpoint,
  eventId: string,
  { t }: EndpointWorld,
): Promise<string | null> {
  const isIt = ({ event_id }: { readonly event_id?: unknown }): boolean => isSameId(event_id, eventId);
  const wanted = endpoint.deletion === null ? (all: Feed["records"]) => all.some(isIt) : 0;
  const found = (await attemptsAt(t, endpoint.watched.endpoint, wanted)).records.find(isIt);
  if (typeof found?.id !== "string") return null;
  records.push({ id: found.id, endpoint });
  return found.id;
}

/** The other organization tries to do something to an endpoint, or to replay what was sent there. */
export const trespassing = (index: number): EndpointCommand =>
  onEndpoint("trespass", index, async (endpoint, { records }, { t, owners }) => {
    const stranger = owners[endpoint.owner === 0 ? 1 : 0];
    const path = pathOf(endpoint);
    t.refused("TEN-12", await t.call("deleteWebhookEndpoint", { path }, stranger), "NotFound");
    t.refused("TEN-02", await t.call("rotateEndpointSecret", { path }, stranger), "NotFound");
    if (t.serves("testWebhookEndpoint"))
      t.refused("TEN-12", await t.call("testWebhookEndpoint", { path }, stranger), "NotFound");
    const record = records.findLast((one) => one.endpoint === endpoint);
    if (record !== undefined) t.refused("TEN-03", await callReplay(t, stranger, record.id), "NotFound");
  });

/** Seconds in which no record is gone: the document does not say how long records are kept, but a feed of attempts shows them. */
const day = 86_400;

/** Reads the feed of one organization, beside what was seen of its endpoints. */
export const reading = (owner: Owner): EndpointCommand =>
  command("readFeed", String(owner), async (model, { t, owners }) => {
    const own = model.endpoints.filter((each) => each.owner === owner);
    const recent = [...model.events.values()].filter(({ at }) => model.elapsed[owner] - at <= day);
    const seen = own
      .filter(({ deletion }) => deletion === null)
      .flatMap((endpoint) => recent.filter(({ id }) => endpoint.counts.has(id)).map((event) => ({ endpoint, event })));
    let feed: Feed = { records: [], pages: [] };
    const numbersOf = ({ endpoint, event }: (typeof seen)[number]): readonly number[] =>
      feed.records
        .filter(({ endpoint_id }) => isSameId(endpoint_id, endpoint.watched.endpoint.id))
        .filter(({ event_id }) => isSameId(event_id, event.id))
        .map(({ attempt }) => Number(attempt))
        .sort((one, other) => one - other);
    // Those of a replay may count on from what was replayed.
    const isCounted = (one: (typeof seen)[number], numbers = numbersOf(one)): boolean => {
      const [first = 1] = one.event.came === "of a replay" ? numbers : [];
      return numbers.every((number, index) => number === first + index);
    };
    await eventually(t, owners[owner].tenant, async () => {
      feed = await readFeed(t, owners[owner]);
      return seen.every((one) => numbersOf(one).length > 0 && isCounted(one)) ? true : null;
    });
    const exchanges = feed.pages.slice(0, 1);
    for (const one of seen) {
      const numbers = numbersOf(one);
      const what = `event ${one.event.id} at endpoint ${one.endpoint.watched.endpoint.id}`;
      const actual = numbers.join(", ") || "none";
      t.verify("WHL-08", numbers.length > 0, { expected: `records of ${what}`, actual, exchanges });
      t.verify("WHL-07", isCounted(one), { expected: `attempts 1, 2 and so on of ${what}`, actual, exchanges });
    }
    const foreign = model.endpoints.filter((each) => each.owner !== owner).map(({ watched }) => watched.endpoint.id);
    const strange = feed.records.filter(({ endpoint_id }) => foreign.some((id) => isSameId(id, endpoint_id)));
    t.verify("TEN-04", strange.length === 0, {
      expected: "attempts of the organization's own endpoints",
      actual: strange.length === 0 ? "those" : `${strange.length} of another organization's`,
      exchanges,
    });
  });
