import { constants } from "../../../generated/constants.ts";
import { eventType } from "../../../generated/events.ts";
import type { RuleId } from "../../../generated/rules.ts";
import type { Delivery } from "../../domain/deliveries/delivery.ts";
import type { Mutant } from "../edit.ts";
import { onRecords } from "../feed-records.ts";
import { type DeliveryHeader, knowingOriginals, remembered, sending, settling, withHeader } from "../port-changes.ts";
import { seeing } from "../seen.ts";
import { mutantOf, wireMutant } from "./mutant.ts";

/** A mutant that sends deliveries with another value of a header; undefined leaves it out. */
const header = (
  breaks: RuleId,
  name: string,
  does: string,
  which: DeliveryHeader,
  change: (value: string, delivery: Delivery) => string | undefined,
): Mutant =>
  mutantOf(breaks, name, does, [
    sending((request, delivery) => withHeader(request, which, change(request.headers[which] ?? "", delivery))),
  ]);

/** A mutant that sends deliveries with another body. */
const body = (name: string, does: string, change: (text: string) => string): Mutant =>
  mutantOf("EVT-02", name, does, [
    sending((request) => ({ ...request, body: Buffer.from(change(Buffer.from(request.body).toString())) })),
  ]);

const isRetry = ({ attempts }: Delivery): boolean => attempts > 0;
const freshId = (): string => `${constants.eventIdPrefix}${crypto.randomUUID()}`;

/** Servers that name events, or themselves, otherwise than the contract says. */
export const deliveryHeaderMutants: readonly Mutant[] = [
  header("EVT-02", "text", "declares its body as text", "Content-Type", () => "text/plain"),
  header(
    "EVT-02",
    "vendor",
    "declares a media type of its own",
    "Content-Type",
    () => "application/vnd.svc.event+json",
  ),
  body("form", "sends a form", (text) => `payload=${encodeURIComponent(text)}`),
  body("cut", "cuts its body off", (text) => text.slice(0, -1)),
  header("EVT-02", "one-type", "declares the body of one type of event as text", "Content-Type", (value, { event }) =>
    event.type === eventType.walletBalanceLow ? "text/plain" : value,
  ),
  header("EVT-03", "nameless", "does not name itself", "User-Agent", () => undefined),
  header("EVT-03", "empty", "sends an empty name", "User-Agent", () => ""),
  header("EVT-03", "retry", "does not name itself when it tries again", "User-Agent", (value, delivery) =>
    isRetry(delivery) ? undefined : value,
  ),
  mutantOf("EVT-03", "endpoint", "names itself to the first endpoint of an organization alone", [
    remembered(() => {
      const first = new Map<string, string>();
      return sending((request, { endpoint }) => {
        const known = first.get(endpoint.organizationId) ?? endpoint.id;
        first.set(endpoint.organizationId, known);
        return known === endpoint.id ? request : withHeader(request, "User-Agent", undefined);
      });
    }),
  ]),
  header("EVT-04", "bare", "sends the UUID of an event alone", constants.eventIdHeader, (id) => id.slice(4)),
  header("EVT-04", "upper", "writes ids of events in upper case", constants.eventIdHeader, (id) => id.toUpperCase()),
  header(
    "EVT-04",
    "retry",
    "adds the number of the attempt to the event's id",
    constants.eventIdHeader,
    (id, delivery) => (isRetry(delivery) ? `${id}-${delivery.attempts}` : id),
  ),
  header("EVT-05", "constant", "writes types in upper case", constants.eventTypeHeader, (type) =>
    type.toUpperCase().replaceAll(".", "_"),
  ),
  header("EVT-05", "british", "spells a type in another way", constants.eventTypeHeader, (type) =>
    type.replace("canceled", "cancelled"),
  ),
  header("EVT-05", "versioned", "adds a version to a type", constants.eventTypeHeader, (type) => `${type}.v1`),
  wireMutant(
    "EVT-10",
    "type",
    "records the first type that the endpoint subscribes to",
    seeing((seen) =>
      onRecords((record) => {
        const [first = record.event_type] = seen.endpoints.get(record.endpoint_id)?.events ?? [];
        return { ...record, event_type: first };
      }),
    ),
  ),
  wireMutant(
    "EVT-10",
    "id",
    "records the id of the delivery as that of its event",
    onRecords((record) => ({ ...record, event_id: `${constants.eventIdPrefix}${record.id}` })),
  ),
  header(
    "EVT-10",
    "header",
    "sends an id that is not the event's",
    constants.eventIdHeader,
    (_, { id }) => `${constants.eventIdPrefix}${id}`,
  ),
  header("EVT-13", "header", "sends every retry under a new id", constants.eventIdHeader, (id, delivery) =>
    isRetry(delivery) ? freshId() : id,
  ),
  wireMutant(
    "EVT-13",
    "record",
    "records every retry under a new id",
    onRecords((record) =>
      record.attempt > 1 ? { ...record, event_id: `${constants.eventIdPrefix}${record.id}` } : record,
    ),
  ),
  mutantOf("EVT-16", "header", "sends a replay under the original's event id", [
    knowingOriginals((originalOf) =>
      sending((request, { event }) => withHeader(request, constants.eventIdHeader, originalOf(event)?.id ?? event.id)),
    ),
  ]),
  mutantOf("EVT-16", "record", "records a replay under the original's event id", [
    knowingOriginals((originalOf) =>
      settling(({ attempt, nextDueAt }, { event }) => ({
        nextDueAt,
        attempt: { ...attempt, eventId: originalOf(event)?.id ?? event.id },
      })),
    ),
  ]),
  header("EVT-16", "retry", "sends every retry under a new id", constants.eventIdHeader, (id, delivery) =>
    isRetry(delivery) ? freshId() : id,
  ),
];
