import { constants } from "../../generated/constants.ts";
import type { deliveryHeaders } from "../../generated/events.ts";
import type { BucketName } from "../../generated/limits.ts";
import type { MadeAttempt } from "../delivery/make-attempt.ts";
import type { OutgoingRequest, Sender } from "../delivery/send-attempt.ts";
import type { Delivery } from "../domain/deliveries/delivery.ts";
import type { ReceiverAnswer } from "../domain/deliveries/receiver-answer.ts";
import type { Event } from "../domain/events/event.ts";
import type { Draw, JointDraw, LimitSize } from "../domain/limits/draw.ts";
import type { Claim } from "../domain/work/due-work.ts";
import type { WebhookStore } from "../store/attempts/webhook-store.ts";
import type { Store } from "../store/store.ts";
import type { PortChange, SourceChange } from "./edit.ts";
import { withMembers } from "./ports.ts";
import { replaying } from "./unit-changes.ts";

/** Puts other methods in place of the store's own. */
export const storing = (change: (store: Store) => Partial<Store>): PortChange => ({
  ports: (ports) => ({ ...ports, store: withMembers(ports.store, change(ports.store)) }),
});

/** Several changes as one, the first of them nearest to the server's own ports. */
export const together = (...changes: readonly PortChange[]): PortChange => ({
  ports: (ports) => changes.reduce((changed, each) => each.ports(changed), ports),
});

/** Whether a call draws from that bucket, among others. */
export const drawsFrom = ({ draws }: JointDraw, bucket: BucketName): boolean =>
  draws.some((draw) => draw.bucket === bucket);

/** All organizations draw from the buckets of one of them, as long as it is there. */
export const drawingTogether = (isShared: (draw: JointDraw) => boolean): PortChange =>
  storing((store) => {
    let one: string | undefined;
    return {
      async draw(organizationId, draw) {
        if (!isShared(draw)) return store.draw(organizationId, draw);
        if (one === undefined || (await store.organization(one)) === null) one = organizationId;
        return store.draw(one, draw);
      },
    };
  });

/** Changes what calls draw from a bucket, or from all of them, before it is drawn. */
export const drawing = (bucket: BucketName | "any", change: (draw: Draw) => Draw): PortChange =>
  storing((store) => ({
    draw: (organizationId, { draws, ...joint }) =>
      store.draw(organizationId, {
        ...joint,
        draws: draws.map((draw) => (bucket === "any" || draw.bucket === bucket ? change(draw) : draw)),
      }),
  }));

/** A draw from a bucket of another size. */
export const sized =
  (change: (size: LimitSize) => Partial<LimitSize>) =>
  (draw: Draw): Draw => ({ ...draw, size: { ...draw.size, ...change(draw.size) } });

/** Counts one draw at a time, for a number of milliseconds, and admits the draws that arrive meanwhile. */
export const countingOneAtATime = (isCounted: (draw: JointDraw) => boolean, countMs = 20): PortChange =>
  storing((store) => {
    const busy = new Set<string>();
    return {
      async draw(organizationId, draw) {
        if (!isCounted(draw)) return store.draw(organizationId, draw);
        if (busy.has(organizationId)) return { admitted: true };
        busy.add(organizationId);
        await new Promise((resolve) => setTimeout(resolve, countMs));
        const drawn = await store.draw(organizationId, draw);
        busy.delete(organizationId);
        return drawn;
      },
    };
  });

/** The same for what it keeps of endpoints, events and attempts. */
export const storingWebhooks = (change: (webhooks: WebhookStore) => Partial<WebhookStore>): PortChange =>
  storing(({ webhooks }) => ({ webhooks: withMembers(webhooks, change(webhooks)) }));

/** Changes deliveries as they are taken to be made; `change` is made anew for each server. */
export const delivering = (change: (webhooks: WebhookStore) => (delivery: Delivery) => Delivery): PortChange =>
  storing(({ dueWork, webhooks }) => {
    const changed = change(webhooks);
    const all = (claims: readonly Claim[]) =>
      claims.map((each) => (each.kind === "delivery" ? { ...each, delivery: changed(each.delivery) } : each));
    return {
      dueWork: withMembers(dueWork, {
        async claimDue(claim) {
          const claimed = await dueWork.claimDue(claim);
          return { ...claimed, claims: all(claimed.claims) };
        },
        async claimNext(claim) {
          const claimed = await dueWork.claimNext(claim);
          return claimed.kind === "claimed" ? { ...claimed, claims: all(claimed.claims) } : claimed;
        },
      }),
    };
  });

/** Notes, by the id of a replay's event, the event that it was made from. */
const notingOriginals = (originals: Map<string, Event>): PortChange =>
  replaying(() => async (tx, attempt) => {
    const original = await tx.events.find(attempt.eventId);
    return {
      enqueue(event, to) {
        if (original !== null) originals.set(event.id, originals.get(original.id) ?? original);
        return tx.enqueue(event, to);
      },
    };
  });

/** The server itself keeps no trace of what a replay was made from; with this its events have the `original`. */
export const noteOriginals: PortChange = {
  ports(ports) {
    const originals = new Map<string, Event>();
    const noting = notingOriginals(originals);
    const marking = delivering(() => (delivery) => {
      const original = originals.get(delivery.event.id);
      return original === undefined ? delivery : { ...delivery, event: Object.assign({ original }, delivery.event) };
    });
    return marking.ports(noting.ports(ports));
  },
};

/** Where they are noted, the event that `event` is a replay of, and undefined where it is none; as source. */
export const originalOf = "(event as typeof event & { readonly original?: typeof event }).original";

/** Declares what an edited file remembers, behind an import of it. The file is loaded anew for each server. */
export const remembering = (file: string, anImport: string, declaration: string): SourceChange => ({
  file,
  find: anImport,
  replace: `${anImport}\n${declaration}`,
});

/** Changes the requests of deliveries as they are sent; the record is of what was to be sent. */
export const sending = (change: (request: OutgoingRequest, delivery: Delivery) => OutgoingRequest): PortChange => ({
  ports(ports) {
    const taken = new Map<string, Delivery>();
    const keyOf = (eventId: string | undefined, url: string): string => `${eventId} ${url}`;
    const noting = delivering(() => (delivery) => {
      taken.set(keyOf(delivery.event.id, delivery.endpoint.url), delivery);
      return delivery;
    });
    const { sender, ...others } = noting.ports(ports);
    const send: Sender["send"] = (request) => {
      // What is not found is a callback of the organization.
      const delivery = taken.get(keyOf(headerOf(request, constants.eventIdHeader), request.url));
      return sender.send(delivery === undefined ? request : change(request, delivery));
    };
    return { ...others, sender: withMembers(sender, { send }) };
  },
});

export type DeliveryHeader = (typeof deliveryHeaders)[number]["name"];

const headerOf = ({ headers }: OutgoingRequest, name: DeliveryHeader): string | undefined => headers[name];

/** The same request with another header; undefined leaves it out. */
export function withHeader(request: OutgoingRequest, name: DeliveryHeader, value: string | undefined): OutgoingRequest {
  const { [name]: _, ...others } = request.headers;
  return { ...request, headers: value === undefined ? others : { ...others, [name]: value } };
}

/** Makes a change that knows of each event whether it is a replay, and of which event. */
export const knowingOriginals = (
  change: (originalOf: (event: Event) => Event | undefined) => PortChange,
): PortChange => ({
  ports(ports) {
    const originals = new Map<string, Event>();
    const noting = notingOriginals(originals);
    return change(({ id }) => originals.get(id)).ports(noting.ports(ports));
  },
});

/** Changes what receivers answered. */
export const receiving = (change: (answer: ReceiverAnswer) => ReceiverAnswer): PortChange => ({
  ports: ({ sender, ...ports }) => ({
    ...ports,
    sender: withMembers(sender, { send: async (request) => change(await sender.send(request)) }),
  }),
});

/** Changes the record of an attempt, and when the next one is due, before they are stored. */
export const settling = (change: (made: MadeAttempt, delivery: Delivery) => MadeAttempt): PortChange =>
  storing(({ dueWork }) => ({
    dueWork: withMembers(dueWork, {
      settle: (settlements) =>
        dueWork.settle(
          settlements.map((settlement) => {
            if (!("attempt" in settlement)) return settlement;
            const { claim, ...made } = settlement;
            return { claim, ...change(made, claim.delivery) };
          }),
        ),
    }),
  }));

/** A change that remembers something: made anew for each server, so that what it remembers is that server's. */
export const remembered = (make: () => PortChange): PortChange => ({ ports: (ports) => make().ports(ports) });
