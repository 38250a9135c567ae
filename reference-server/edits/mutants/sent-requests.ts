import { eventTypes } from "../../../generated/events.ts";
import type { OutgoingRequest } from "../../delivery/send-attempt.ts";
import type { Mutant } from "../edit.ts";
import { sendingOut, storingWebhooks } from "../port-changes.ts";
import { parsed } from "../wire.ts";
import { mutantOf } from "./mutant.ts";

type HeaderName = "User-Agent" | "X-Svc-Event-ID" | "X-Svc-Event-Type" | "X-Svc-Signature";

/** The same request with another value for a header. */
const withHeader = (
  request: OutgoingRequest,
  name: HeaderName,
  change: (value: string) => string,
): OutgoingRequest => ({
  ...request,
  headers: { ...request.headers, [name]: change(request.headers[name] ?? "") },
});

const without = (request: OutgoingRequest, name: HeaderName): OutgoingRequest => {
  const { [name]: _, ...headers } = request.headers;
  return { ...request, headers };
};

/** Whether a request is the delivery of a test. */
const isTest = ({ body }: OutgoingRequest): boolean => Object(Object(parsed(Buffer.from(body))).data).test === true;

/** Changes the deliveries of tests alone. */
const onTests = (change: (request: OutgoingRequest) => OutgoingRequest) =>
  sendingOut(() => (request) => (isTest(request) ? change(request) : request));

/** Another signature of the same form. */
const spoilt = (signature: string): string =>
  signature.replace(/v1=(.)/g, (_, first: string) => `v1=${first === "0" ? "1" : "0"}`);

/** Servers that break a rule by some of what they send. */
export const sentRequestMutants: readonly Mutant[] = [
  mutantOf("EVT-03", "test", "does not name itself when it tests", [
    onTests((request) => without(request, "User-Agent")),
  ]),
  mutantOf("EVT-04", "test", "marks the ids of tests", [
    onTests((request) => withHeader(request, "X-Svc-Event-ID", (id) => `test_${id}`)),
  ]),
  mutantOf("EVT-05", "test", "sends tests under a type of their own", [
    onTests((request) => withHeader(request, "X-Svc-Event-Type", () => "endpoint.test")),
  ]),
  mutantOf("EVT-06", "test", "does not sign tests", [onTests((request) => without(request, "X-Svc-Signature"))]),
  mutantOf("EVT-08", "test", "signs tests with another key", [
    onTests((request) => withHeader(request, "X-Svc-Signature", spoilt)),
  ]),
  mutantOf("EVT-10", "test", "records tests under another id than it sends", [
    onTests((request) =>
      withHeader(request, "X-Svc-Event-ID", (id) => id.replace(/.$/, (end) => (end === "0" ? "1" : "0"))),
    ),
  ]),
  mutantOf("EVT-18", "each", "gives an event another id at every endpoint", [
    sendingOut(() => {
      const ids = new Map<string, string>();
      return (request) =>
        withHeader(request, "X-Svc-Event-ID", (id) => {
          const place = `${id} ${request.url}`;
          const own = ids.get(place) ?? `evt_${crypto.randomUUID()}`;
          ids.set(place, own);
          return own;
        });
    }),
  ]),
  mutantOf("WHE-17", "subscribers", "tests all endpoints that subscribe to the type of the test", [
    storingWebhooks((webhooks) => ({ emit: (event) => webhooks.emit(event, "subscribed") })),
  ]),
  mutantOf("WHE-14", "three-parts", "sends no event whose type has three parts", [
    storingWebhooks((webhooks) => ({
      emit: async (event, to) =>
        event.type.split(".").length > 2 && to === "subscribed" ? 0 : webhooks.emit(event, to),
    })),
  ]),
  mutantOf("WHE-14", "last-type", "sends no event of the last type of the catalog", [
    storingWebhooks((webhooks) => ({
      emit: async (event, to) =>
        event.type === eventTypes.at(-1) && to === "subscribed" ? 0 : webhooks.emit(event, to),
    })),
  ]),
];
