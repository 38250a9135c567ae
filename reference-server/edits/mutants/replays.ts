import { constants } from "../../../generated/constants.ts";
import type { DeliveryAttempt } from "../../../generated/models/deliveries.ts";
import type { RuleId } from "../../../generated/rules.ts";
import type { Json } from "../../../generated/runtime/json.ts";
import type { WebhookEndpoint } from "../../domain/endpoints/webhook-endpoint.ts";
import type { Event } from "../../domain/events/event.ts";
import type { Mutant, PortChange } from "../edit.ts";
import { onRecords } from "../feed-records.ts";
import { type DeliveryHeader, delivering, knowingOriginals, sending, settling, withHeader } from "../port-changes.ts";
import { keepingEndpoints, receiverOf, replaying } from "../unit-changes.ts";
import { onData } from "../wire.ts";
import { mutantOf, wireMutant } from "./mutant.ts";

type Data = Event["data"];

/** A mutant that sends a replay's data in another form. */
const dataAs = (name: string, does: string, change: (data: Data) => Data): Mutant =>
  mutantOf("WHP-14", name, does, [
    knowingOriginals((originalOf) =>
      delivering(() => (delivery) => {
        const { event } = delivery;
        return originalOf(event) === undefined
          ? delivery
          : { ...delivery, event: { ...event, data: change(event.data) } };
      }),
    ),
  ]);

/** The same data with every text in it changed. */
const textsIn = (data: Data, change: (text: string) => Json | undefined): Data =>
  JSON.parse(JSON.stringify(data), (_, value) => (typeof value === "string" ? change(value) : value));

/** A mutant that sends replays to others of the organization's endpoints, which come in the order of their creation. */
const sentTo = (
  name: string,
  does: string,
  choose: (endpoints: readonly WebhookEndpoint[]) => readonly WebhookEndpoint[],
): Mutant => {
  const sentElsewhere = (endpoints: readonly WebhookEndpoint[]): PortChange =>
    knowingOriginals((originalOf) => {
      const chosen = (event: Event): readonly WebhookEndpoint[] =>
        originalOf(event) === undefined
          ? []
          : choose(endpoints.filter(({ organizationId }) => organizationId === event.organizationId));
      const first = delivering(() => (delivery) => {
        const [endpoint = delivery.endpoint] = chosen(delivery.event);
        return { ...delivery, endpoint };
      });
      return {
        ports(ports) {
          const { sender } = ports;
          const further = sending((request, { event }) => {
            for (const { url } of chosen(event).slice(1)) void sender.send({ ...request, url });
            return request;
          });
          return further.ports(first.ports(ports));
        },
      };
    });
  return mutantOf("WHP-15", name, does, [
    {
      ports(ports) {
        const endpoints: WebhookEndpoint[] = [];
        const noting = keepingEndpoints(() => (own) => ({
          async insert(endpoint) {
            endpoints.push(endpoint);
            await own.insert(endpoint);
          },
        }));
        return sentElsewhere(endpoints).ports(noting.ports(ports));
      },
    },
  ]);
};

/** Answers replays of which the condition holds, and sends nothing. */
const losing = (condition: (endpoint: WebhookEndpoint, event: Event) => boolean): PortChange =>
  replaying(() => (tx, { endpointId }) => ({
    async enqueue(event, to) {
      const endpoint = await tx.endpoints.find(endpointId);
      return endpoint !== null && condition(endpoint, event) ? 0 : tx.enqueue(event, to);
    },
  }));

/** A mutant that sends replays, and nothing else, with another value of a header; undefined leaves it out. */
const header = (
  breaks: RuleId,
  name: string,
  does: string,
  which: DeliveryHeader,
  change: (value: string, original: Event) => string | undefined,
): Mutant =>
  mutantOf(breaks, name, does, [
    knowingOriginals((originalOf) =>
      sending((request, { event }) => {
        const original = originalOf(event);
        return original === undefined
          ? request
          : withHeader(request, which, change(request.headers[which] ?? "", original));
      }),
    ),
  ]);

/** A mutant that shows the record of what is replayed in another way from then on; null leaves it out. */
const recordChanged = (
  name: string,
  does: string,
  change: (record: DeliveryAttempt, replay: Data) => Readonly<Record<string, unknown>> | null,
): Mutant =>
  wireMutant("WHP-19", name, does, (serve) => {
    const replays = new Map<unknown, Data>();
    const noting = onData("replayDelivery", (data) => {
      replays.set(data.delivery_id, data as Data);
      return data;
    })(serve);
    return onRecords((record) => {
      const replay = replays.get(record.id);
      if (replay === undefined) return record;
      const changed = change(record, replay);
      return changed === null ? [] : { ...record, ...changed };
    })(noting);
  });

/** Servers that do something else with a replay than the contract says. */
export const replayMutants: readonly Mutant[] = [
  mutantOf("WHP-13", "lost", "answers a replay and sends nothing", [losing(() => true)]),
  header(
    "WHP-13",
    "original",
    "sends a replay under the original's event id",
    constants.eventIdHeader,
    (_, original) => original.id,
  ),
  wireMutant(
    "WHP-13",
    "another",
    "answers another event id than it sends",
    onData("replayDelivery", (data) => ({ ...data, new_event_id: `${constants.eventIdPrefix}${crypto.randomUUID()}` })),
  ),
  dataAs("empty", "sends a replay without the original's data", () => ({})),
  dataAs("no-nulls", "leaves out members that are null", (data) =>
    JSON.parse(JSON.stringify(data, (_, value) => value ?? undefined)),
  ),
  dataAs("times", "writes the time of the replay over times in its data", (data) =>
    textsIn(data, (text) => (/^\d{4}-\d\d-\d\dT/.test(text) ? new Date().toISOString() : text)),
  ),
  dataAs("created", "writes its own time over one member of the data of a replay", (data) =>
    Object.hasOwn(data, "created_at") ? { ...data, created_at: new Date().toISOString() } : data,
  ),
  dataAs("key", "builds the data of a replay from the key as it is then", (data) =>
    Object.hasOwn(data, "prefix") ? { ...data, last_used_at: null } : data,
  ),
  dataAs("marked", "marks the data of a replay", (data) => ({ ...data, replayed: true })),
  dataAs("trimmed", "trims the texts of a replay", (data) => textsIn(data, (text) => text.trim())),
  dataAs("composed", "composes the characters of a replay", (data) => textsIn(data, (text) => text.normalize("NFC"))),
  mutantOf("WHP-14", "twice", "forgets the data of what is replayed twice", [
    replaying(() => {
      const replays = new Set<string>();
      return (tx, attempt) => ({
        enqueue(event, to) {
          replays.add(event.id);
          return tx.enqueue(replays.has(attempt.eventId) ? { ...event, data: {} } : event, to);
        },
      });
    }),
  ]),
  sentTo("all", "sends a replay to every endpoint of the organization", (all) => all),
  sentTo("newest", "sends a replay to the newest endpoint", (all) => all.slice(-1)),
  sentTo("oldest", "sends a replay to the oldest endpoint", (all) => all.slice(0, 1)),
  mutantOf("WHP-16", "filtered", "sends a replay to subscribers of its type alone", [
    losing(({ events }, { type }) => !events.includes(type)),
  ]),
  mutantOf("WHP-16", "refused", "refuses a replay to an endpoint that no longer subscribes to its type", [
    replaying(() => async (tx, { endpointId, eventType }) => {
      const endpoint = await tx.endpoints.find(endpointId);
      return endpoint?.events.includes(eventType) ? {} : receiverOf(tx, false);
    }),
  ]),
  header("WHP-17", "unsigned", "does not sign replays", constants.signatureHeader, () => undefined),
  header(
    "WHP-17",
    "own-type",
    "sends replays under a type of their own",
    constants.eventTypeHeader,
    () => "delivery.replayed",
  ),
  header("WHP-17", "nameless", "names no sender on replays", "User-Agent", () => undefined),
  wireMutant("WHP-18", "unrecorded", "keeps no record of attempts of replays", (serve) => {
    const replays = new Set<unknown>();
    const noting = onData("replayDelivery", (data) => {
      replays.add(data.new_event_id);
      return data;
    })(serve);
    return onRecords((record) => (replays.has(record.event_id) ? [] : record))(noting);
  }),
  mutantOf("WHP-18", "original", "records attempts of a replay under the original's event id", [
    knowingOriginals((originalOf) =>
      settling(({ attempt, nextDueAt }, { event }) => ({
        nextDueAt,
        attempt: { ...attempt, eventId: originalOf(event)?.id ?? event.id },
      })),
    ),
  ]),
  recordChanged("time", "has the original's record show the time of the replay", (_, { enqueued_at: at }) => ({
    occurred_at: at,
  })),
  recordChanged("counted", "counts a replay on the original's record", ({ attempt }) => ({ attempt: attempt + 1 })),
  recordChanged("event", "has the original's record show the new event", (_, { new_event_id: id }) => ({
    event_id: id,
  })),
  recordChanged("excerpt", "writes over the excerpt on the original's record", () => ({
    response_body_excerpt: "replayed",
  })),
  recordChanged("deleted", "deletes the original's record", () => null),
];
