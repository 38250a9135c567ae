import { constants } from "../../../generated/constants.ts";
import { eventTypes } from "../../../generated/events.ts";
import type { OutgoingRequest } from "../../delivery/send-attempt.ts";
import type { Mutant, PortChange } from "../edit.ts";
import { type DeliveryHeader, delivering, knowingOriginals, sending, withHeader } from "../port-changes.ts";
import { withMembers } from "../ports.ts";
import { enqueueing, replaying } from "../unit-changes.ts";
import { parsed } from "../wire.ts";
import { mutantOf } from "./mutant.ts";

/** Sends the deliveries of tests alone with another value for a header; undefined leaves it out. */
const onTests = (name: DeliveryHeader, change: (value: string) => string | undefined): PortChange =>
  sending((request, { event }) =>
    event.data.test === true ? withHeader(request, name, change(request.headers[name] ?? "")) : request,
  );

/** Another signature of the same form. */
const spoilt = (signature: string): string =>
  signature.replace(/v1=(.)/g, (_, first: string) => `v1=${first === "0" ? "1" : "0"}`);

/** Servers that break a rule by some of what they send. */
export const sentRequestMutants: readonly Mutant[] = [
  mutantOf("EVT-03", "test", "does not name itself when it tests", [onTests("User-Agent", () => undefined)]),
  mutantOf("EVT-04", "test", "marks the ids of tests", [onTests(constants.eventIdHeader, (id) => `test_${id}`)]),
  mutantOf("EVT-05", "test", "sends tests under a type of their own", [
    onTests(constants.eventTypeHeader, () => "endpoint.test"),
  ]),
  mutantOf("EVT-06", "test", "does not sign tests", [onTests(constants.signatureHeader, () => undefined)]),
  mutantOf("EVT-08", "test", "signs tests with another key", [onTests(constants.signatureHeader, spoilt)]),
  mutantOf("EVT-10", "test", "records tests under another id than it sends", [
    onTests(constants.eventIdHeader, (id) => id.replace(/.$/, (end) => (end === "0" ? "1" : "0"))),
  ]),
  mutantOf("EVT-18", "each", "gives an event another id at every endpoint", [
    sending((request, { id }) => withHeader(request, constants.eventIdHeader, `${constants.eventIdPrefix}${id}`)),
  ]),
  mutantOf("WHE-17", "subscribers", "tests all endpoints that subscribe to the type of the test", [
    enqueueing(() => (event, to, tx) => tx.enqueue(event, event.data.test === true ? "subscribed" : to)),
  ]),
  mutantOf("WHE-14", "three-parts", "sends no event whose type has three parts", [
    enqueueing(
      () => async (event, to, tx) =>
        event.type.split(".").length > 2 && to === "subscribed" ? 0 : tx.enqueue(event, to),
    ),
  ]),
  mutantOf("WHE-14", "last-type", "sends no event of the last type of the catalog", [
    enqueueing(
      () => async (event, to, tx) =>
        event.type === eventTypes.at(-1) && to === "subscribed" ? 0 : tx.enqueue(event, to),
    ),
  ]),
  mutantOf("EVT-19", "empty", "sends retries without their data", [
    sending((request, { attempts }) =>
      attempts === 0
        ? request
        : { ...request, body: Buffer.from(JSON.stringify({ ...Object(parsed(Buffer.from(request.body))), data: {} })) },
    ),
  ]),
  mutantOf("EVT-14", "everywhere", "tries an event again at all its endpoints where one has failed", [
    {
      ports({ sender, ...others }) {
        const sent = new Map<string, readonly OutgoingRequest[]>();
        return {
          ...others,
          sender: withMembers(sender, {
            async send(request) {
              const id = eventIdOf(request);
              const before = sent.get(id) ?? [];
              if (!before.some(({ url }) => url === request.url)) sent.set(id, [...before, request]);
              else for (const each of before) if (each.url !== request.url) await sender.send(each);
              return sender.send(request);
            },
          }),
        };
      },
    },
  ]),
  mutantOf("WHP-33", "sent", "sends a replay to the address of a deleted endpoint", [
    {
      ports({ sender, ...others }) {
        const sent = new Map<string, OutgoingRequest>();
        const noting = withMembers(sender, {
          send(request) {
            sent.set(`${eventIdOf(request)} ${request.url}`, request);
            return sender.send(request);
          },
        });
        const again = replaying(() => async (tx, { eventId, url, endpointId }) => {
          const original = sent.get(`${eventId} ${url}`);
          if (original !== undefined && (await tx.endpoints.find(endpointId)) === null)
            void sender.send(
              withHeader(original, constants.eventIdHeader, `${constants.eventIdPrefix}${crypto.randomUUID()}`),
            );
          return {};
        });
        return again.ports({ ...others, sender: noting });
      },
    },
  ]),
  mutantOf("WHR-12", "replay", "signs a replay with the secret that the original was signed with", [
    knowingOriginals((originalOf) => {
      const first = new Map<string, string>();
      return delivering(() => (delivery) => {
        const { event, endpoint } = delivery;
        const original = originalOf(event);
        if (original === undefined && !first.has(event.id)) first.set(event.id, endpoint.secret);
        const secret = original === undefined ? endpoint.secret : (first.get(original.id) ?? endpoint.secret);
        return { ...delivery, endpoint: { ...endpoint, secret } };
      });
    }),
  ]),
];

const eventIdOf = ({ headers }: OutgoingRequest): string => headers[constants.eventIdHeader] ?? "";
