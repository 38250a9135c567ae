import { randomUUID } from "node:crypto";
import { constants } from "../../../generated/constants.ts";
import type { Json } from "../../../generated/runtime/json.ts";
import type { DeliveryAttempt } from "../../domain/deliveries/delivery.ts";
import type { Event } from "../../domain/events/event.ts";
import type { Mutant, PortChange } from "../edit.ts";
import { delivering, knowingOriginals, remembered, sending, settling, together, withHeader } from "../port-changes.ts";
import { enqueueing, keepingEndpoints, replaying, replayingAs } from "../unit-changes.ts";
import { mutant, mutantOf } from "./mutant.ts";

type Data = Event["data"];

/** Changes the record of an attempt alone. */
const recording = (change: (attempt: DeliveryAttempt, data: Data) => DeliveryAttempt): PortChange =>
  settling(({ attempt, nextDueAt }, { event }) => ({ attempt: change(attempt, event.data), nextDueAt }));

/** Changes the data of what is tried again. */
const retrying = (change: (data: Data) => Data): PortChange =>
  delivering(
    () => (delivery) =>
      delivery.attempts === 0
        ? delivery
        : { ...delivery, event: { ...delivery.event, data: change(delivery.event.data) } },
  );

const eachValue = (data: Data, change: (value: Json) => Json): Data =>
  Object.fromEntries(Object.entries(data).map(([name, value]) => [name, change(value)]));

/** With some replays sends their originals again, under the ids of these. */
const sendingOriginalsToo = (applies: (attempt: DeliveryAttempt) => boolean): PortChange =>
  remembered(() => {
    const originals = new Map<string, string>();
    return together(
      replaying(() => (tx, attempt) => ({
        async enqueue(event, to) {
          const count = await tx.enqueue(event, to);
          if (!applies(attempt)) return count;
          const again = { ...event, id: `${constants.eventIdPrefix}${randomUUID()}` };
          originals.set(again.id, attempt.eventId);
          await tx.enqueue(again, to);
          return count;
        },
      })),
      sending((request, { event }) =>
        withHeader(request, constants.eventIdHeader, originals.get(event.id) ?? event.id),
      ),
      recording((attempt) => ({ ...attempt, eventId: originals.get(attempt.eventId) ?? attempt.eventId })),
    );
  });

/** Servers that deliver with faults that a careless change may bring. */
export const plausibleDeliveryMutants: readonly Mutant[] = [
  mutantOf("WHP-14", "stringified", "writes lists and objects in the data of a replay as texts", [
    replayingAs((event) => ({
      ...event,
      data: eachValue(event.data, (value) =>
        typeof value === "object" && value !== null ? JSON.stringify(value) : value,
      ),
    })),
  ]),
  mutantOf("WHP-14", "long", "cuts long texts in the data of a replay", [
    replayingAs((event) => ({
      ...event,
      data: eachValue(event.data, (value) => (typeof value === "string" ? value.slice(0, 255) : value)),
    })),
  ]),
  mutant(
    "WHP-14",
    "reason",
    "sends the reason of a replay with its data",
    "routes/deliveries.ts",
    "eventAgain(found.event, eventId, now)",
    "eventAgain({ ...found.event, data: { ...found.event.data, ...(body?.reason === undefined ? {} : { reason: body.reason }) } }, eventId, now)",
  ),
  mutantOf("WHP-14", "noted", "notes in the data of a replay, which bodies have under another name, that it is one", [
    {
      file: "domain/deliveries/delivery-request.ts",
      find: "        data: event.data,",
      replace: "        data: undefined,\n        ...{ payload: event.data },",
    },
    replayingAs((event) => ({ ...event, data: { ...event.data, replayed: true } })),
  ]),
  mutantOf("WHP-17", "first-type", "sends a replay under the first type that its endpoint subscribes to", [
    knowingOriginals((originalOf) =>
      sending((request, { event, endpoint }) =>
        originalOf(event) === undefined ? request : withHeader(request, constants.eventTypeHeader, endpoint.events[0]),
      ),
    ),
  ]),
  mutantOf("EVT-10", "previous", "records the type of the attempt before", [
    remembered(() => {
      let before: DeliveryAttempt["eventType"] | null = null;
      return recording((attempt) => {
        const eventType = before ?? attempt.eventType;
        before = attempt.eventType;
        return { ...attempt, eventType };
      });
    }),
  ]),
  mutantOf("EVT-13", "fifth", "sends the fifth attempt under a new id", [
    sending((request, { attempts }) =>
      attempts === 4
        ? withHeader(request, constants.eventIdHeader, `${constants.eventIdPrefix}${randomUUID()}`)
        : request,
    ),
  ]),
  mutantOf("EVT-14", "revived", "goes on with what is dead when it is replayed", [
    sendingOriginalsToo(({ outcome }) => outcome === "dead"),
  ]),
  mutantOf("EVT-14", "replayed", "sends what was taken once more when one of its attempts is replayed", [
    sendingOriginalsToo(({ outcome }) => outcome !== "dead"),
  ]),
  mutantOf("EVT-17", "refused", "takes it for a success that a connection is refused", [
    settling(({ attempt, nextDueAt }) =>
      /refused/i.test(attempt.error ?? "")
        ? { attempt: { ...attempt, outcome: "success" }, nextDueAt: null }
        : { attempt, nextDueAt },
    ),
  ]),
  mutantOf("EVT-19", "nulls", "leaves members that are null out of retries", [
    retrying((data) => Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null))),
  ]),
  mutantOf("EVT-19", "newest", "sends with a retry the data of the newest event of its type", [
    remembered(() => {
      const newest = new Map<string, Event>();
      return delivering(() => (delivery) => {
        const { event, attempts } = delivery;
        const known = newest.get(`${event.organizationId} ${event.type}`);
        if (attempts === 0) newest.set(`${event.organizationId} ${event.type}`, event);
        return attempts === 0 || known === undefined
          ? delivery
          : { ...delivery, event: { ...event, data: known.data } };
      });
    }),
  ]),
  mutantOf("WHL-07", "capped", "counts no further than to five", [
    recording((attempt) => ({ ...attempt, attempt: Math.min(attempt.attempt, 5) })),
  ]),
  mutantOf("WHL-13", "trimmed", "trims what was answered", [
    recording((attempt) => ({ ...attempt, responseBodyExcerpt: attempt.responseBodyExcerpt.trim() })),
  ]),
  mutantOf("WHL-16", "stale", "goes on showing the error of an earlier attempt", [
    remembered(() => {
      const errors = new Map<string, string>();
      return recording((attempt) => {
        const error = attempt.error ?? errors.get(attempt.deliveryId) ?? null;
        if (error !== null) errors.set(attempt.deliveryId, error);
        return { ...attempt, error };
      });
    }),
  ]),
  mutantOf("WHL-10", "since-event", "measures from the first attempt on", [
    remembered(() => {
      const begun = new Map<string, number>();
      return recording((attempt) => {
        const from = begun.get(attempt.deliveryId) ?? Date.now() - attempt.responseTimeMs;
        begun.set(attempt.deliveryId, from);
        return { ...attempt, responseTimeMs: Date.now() - from };
      });
    }),
  ]),
  mutantOf("WHL-10", "sum", "adds up the times of all attempts", [
    remembered(() => {
      const sums = new Map<string, number>();
      return recording((attempt) => {
        const sum = (sums.get(attempt.deliveryId) ?? 0) + attempt.responseTimeMs;
        sums.set(attempt.deliveryId, sum);
        return { ...attempt, responseTimeMs: sum };
      });
    }),
  ]),
  mutantOf("WHE-08", "once", "tests an endpoint once and says so of later tests alone", [
    enqueueing(() => {
      const tested = new Set<string>();
      return async (event, to, tx) => {
        if (to === "subscribed" || event.data.test !== true) return tx.enqueue(event, to);
        if (tested.has(to.endpointId)) return 1;
        tested.add(to.endpointId);
        return tx.enqueue(event, to);
      };
    }),
  ]),
  mutantOf("WHR-12", "fan-out", "signs an event for all its endpoints with the secret of the first of them", [
    remembered(() => {
      const first = new Map<string, { readonly endpoint: string; readonly secret: string }>();
      return delivering(() => (delivery) => {
        const { event, endpoint } = delivery;
        const known = first.get(event.id) ?? { endpoint: endpoint.id, secret: endpoint.secret };
        first.set(event.id, known);
        const { secret } = known.endpoint === endpoint.id ? endpoint : known;
        return { ...delivery, endpoint: { ...endpoint, secret } };
      });
    }),
  ]),
  mutantOf("WHR-12", "by-address", "signs with the secret that was last given to any endpoint at the address", [
    remembered(() => {
      const secrets = new Map<string, string>();
      return together(
        keepingEndpoints(() => (endpoints) => ({
          async insert(endpoint) {
            secrets.set(endpoint.url, endpoint.secret);
            await endpoints.insert(endpoint);
          },
          async update(endpoint) {
            secrets.set(endpoint.url, endpoint.secret);
            await endpoints.update(endpoint);
          },
        })),
        delivering(() => (delivery) => {
          const { endpoint } = delivery;
          return { ...delivery, endpoint: { ...endpoint, secret: secrets.get(endpoint.url) ?? endpoint.secret } };
        }),
      );
    }),
  ]),
  mutantOf("WHR-12", "test", "signs tests with the secret of the endpoint's first test", [
    remembered(() => {
      const first = new Map<string, string>();
      return delivering(() => (delivery) => {
        const { event, endpoint } = delivery;
        if (event.data.test !== true) return delivery;
        const secret = first.get(endpoint.id) ?? endpoint.secret;
        first.set(endpoint.id, secret);
        return { ...delivery, endpoint: { ...endpoint, secret } };
      });
    }),
  ]),
];
