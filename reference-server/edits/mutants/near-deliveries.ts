import { constants } from "../../../generated/constants.ts";
import type { EventType } from "../../../generated/events.ts";
import type { Event } from "../../domain/events/event.ts";
import type { Mutant, PortChange } from "../edit.ts";
import { nothingThere } from "../operation-changes.ts";
import { remembered, settling, together } from "../port-changes.ts";
import { withMembers } from "../ports.ts";
import { enqueueing, keepingEndpoints, replaying, working } from "../unit-changes.ts";
import { refused, withHeaders } from "../wire.ts";
import { mutant, mutantOf, wireMutant } from "./mutant.ts";

const requestIdHeader = constants.requestIdHeader.toLowerCase();

/** Makes a change that knows the endpoint which was created last at an address of an organization. */
const knowingNewest = (
  change: (newestAt: (organizationId: string, url: string) => string | undefined) => PortChange,
): PortChange =>
  remembered(() => {
    const newest = new Map<string, string>();
    return together(
      keepingEndpoints(() => (endpoints) => ({
        async insert(endpoint) {
          newest.set(`${endpoint.organizationId} ${endpoint.url}`, endpoint.id);
          await endpoints.insert(endpoint);
        },
      })),
      change((organizationId, url) => newest.get(`${organizationId} ${url}`)),
    );
  });

/** Endpoints and deliveries that are wrong in one of many, or beside one like it. */
export const nearDeliveries: readonly Mutant[] = [
  mutant(
    "WHE-14",
    "first-ten",
    "tells no more than ten endpoints of an event",
    "store/events/outbox.ts",
    "return meant.map(({ id }) => id);",
    "return meant.slice(0, 10).map(({ id }) => id);",
  ),
  mutantOf("WHE-15", "made-up", "sends to an endpoint that is turned on again what happened meanwhile", [
    working(() => {
      const missed = new Map<string, Event[]>();
      const types = new Map<string, readonly EventType[]>();
      return (tx) => ({
        async enqueue(event, to) {
          if (to === "subscribed")
            for (const [id, events] of missed)
              if ((await tx.endpoints.find(id)) !== null && types.get(id)?.includes(event.type)) events.push(event);
          return tx.enqueue(event, to);
        },
        endpoints: withMembers(tx.endpoints, {
          async update(endpoint) {
            await tx.endpoints.update(endpoint);
            const { id, events, active } = endpoint;
            types.set(id, events);
            if (!active) return void missed.set(id, missed.get(id) ?? []);
            for (const event of missed.get(id) ?? [])
              await tx.enqueue(
                { ...event, id: `${constants.eventIdPrefix}${crypto.randomUUID()}` },
                { endpointId: id },
              );
            missed.delete(id);
          },
        }),
      });
    }),
  ]),
  mutantOf("WHR-22", "test", "delivers the endpoint with its secret in a test", [
    enqueueing(() => async (event, to, tx) => {
      const endpoint = to === "subscribed" ? null : await tx.endpoints.find(to.endpointId);
      if (endpoint === null || event.data.test !== true) return tx.enqueue(event, to);
      const { id, url, secret } = endpoint;
      return tx.enqueue({ ...event, data: { ...event.data, endpoint: { id, url, secret } } }, to);
    }),
  ]),
  mutantOf("WHP-15", "same-address", "sends a replay to the newest endpoint at the address", [
    knowingNewest((newestAt) =>
      replaying(() => (tx, { organizationId, url }) => ({
        enqueue: (event, to) =>
          tx.enqueue(event, to === "subscribed" ? to : { endpointId: newestAt(organizationId, url) ?? to.endpointId }),
      })),
    ),
  ]),
  mutantOf("WHE-17", "same-address", "sends a test to the newest endpoint at the address", [
    knowingNewest((newestAt) =>
      enqueueing(() => async (event, to, tx) => {
        const tested = to === "subscribed" || event.data.test !== true ? null : await tx.endpoints.find(to.endpointId);
        const newest = tested && newestAt(tested.organizationId, tested.url);
        return tx.enqueue(event, newest ? { endpointId: newest } : to);
      }),
    ),
  ]),
  wireMutant("WHR-04", "at-once", "rotates once for all who ask for it at once", (serve) => {
    const underWay = new Map<string, ReturnType<typeof serve>>();
    return async (request) => {
      if (request.operation !== "rotateEndpointSecret") return serve(request);
      const { path } = request;
      const begun = underWay.get(path);
      if (begun !== undefined) {
        const fresh = refused(nothingThere).headers[requestIdHeader];
        return withHeaders(await begun, { [requestIdHeader]: String(fresh) });
      }
      const answer = new Promise((resolve) => setTimeout(resolve, 30)).then(() => serve(request));
      underWay.set(path, answer);
      return answer.finally(() => underWay.delete(path));
    };
  }),
  mutantOf("EVT-14", "after-retry", "tries once more what was taken at the second attempt", [
    settling(({ attempt, nextDueAt }) => ({
      attempt,
      nextDueAt: attempt.attempt === 2 && attempt.outcome === "success" ? attempt.occurredAt + 5_000 : nextDueAt,
    })),
  ]),
];
