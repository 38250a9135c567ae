import { randomUUID } from "node:crypto";
import { constants } from "../../../generated/constants.ts";
import type { WebhookEndpoint } from "../../domain/endpoints/webhook-endpoint.ts";
import type { Event } from "../../domain/events/event.ts";
import type { Mutant, PortChange } from "../edit.ts";
import { delivering, remembered, sending, settling, together, withHeader } from "../port-changes.ts";
import { enqueueing, keepingEndpoints, replaying } from "../unit-changes.ts";
import { mutantOf } from "./mutant.ts";

/** Calls back when an endpoint's secret was rotated, and when one was deleted; `before` is how it stood until then. */
const noticing = (on: {
  readonly rotated?: (endpoint: WebhookEndpoint, before: WebhookEndpoint) => void;
  readonly deleted?: (endpoint: WebhookEndpoint) => void;
}): PortChange =>
  keepingEndpoints(() => (endpoints) => ({
    async update(endpoint) {
      const before = await endpoints.find(endpoint.id);
      await endpoints.update(endpoint);
      if (before === null) return;
      if (endpoint.deletedAt !== null) on.deleted?.(endpoint);
      else if (endpoint.secret !== before.secret) on.rotated?.(endpoint, before);
    },
  }));

/** After a deletion the organization's secrets are those that it had then. */
const secretsOfDeletion = remembered(() => {
  const current = new Map<string, WebhookEndpoint>();
  const kept = new Map<string, string>();
  return together(
    noticing({
      rotated: (endpoint) => current.set(endpoint.id, endpoint),
      deleted({ organizationId }) {
        for (const endpoint of current.values())
          if (endpoint.organizationId === organizationId) kept.set(endpoint.id, endpoint.secret);
      },
    }),
    delivering(() => ({ endpoint, ...delivery }) => ({
      ...delivery,
      endpoint: { ...endpoint, secret: kept.get(endpoint.id) ?? endpoint.secret },
    })),
  );
});

/** An organization's events go nowhere once an endpoint was deleted for which a delivery waited. */
const stalled = remembered(() => {
  const waiting = new Map<string, Set<string>>();
  const stuck = new Set<string>();
  return together(
    settling((made, { id, endpoint }) => {
      const ids = waiting.get(endpoint.id) ?? new Set();
      if (made.nextDueAt === null) ids.delete(id);
      else ids.add(id);
      waiting.set(endpoint.id, ids);
      return made;
    }),
    noticing({
      deleted({ id, organizationId }) {
        if ((waiting.get(id)?.size ?? 0) > 0) stuck.add(organizationId);
      },
    }),
    enqueueing(
      () => async (event, to, tx) =>
        to === "subscribed" && stuck.has(event.organizationId) ? 0 : tx.enqueue(event, to),
    ),
  );
});

/** Replays go to whichever endpoint of the organization was rotated last. */
const replayedToRotated = remembered(() => {
  const last = new Map<string, string>();
  return together(
    noticing({ rotated: ({ id, organizationId }) => last.set(organizationId, id) }),
    replaying(() => (tx, { organizationId, endpointId }) => ({
      enqueue: (event) => tx.enqueue(event, { endpointId: last.get(organizationId) ?? endpointId }),
    })),
  );
});

/** An endpoint takes the place of one that was deleted, and its subscriptions with it. */
const inherited = remembered(() => {
  const left = new Map<string, WebhookEndpoint["events"]>();
  return together(
    noticing({ deleted: ({ organizationId, events }) => left.set(organizationId, events) }),
    keepingEndpoints(() => (endpoints) => ({
      async insert(endpoint) {
        const events = new Set([...endpoint.events, ...(left.get(endpoint.organizationId) ?? [])]);
        left.delete(endpoint.organizationId);
        await endpoints.insert({ ...endpoint, events: [...events] });
      },
    })),
  );
});

/** With its next event an endpoint that was rotated gets once more what it took last. */
const takenAgain = remembered(() => {
  const taken = new Map<string, Event>();
  const due = new Map<string, Event>();
  const originals = new Map<string, string>();
  return together(
    settling(({ attempt, nextDueAt }, { event, endpoint }) => {
      const original = originals.get(event.id);
      if (attempt.outcome === "success" && original === undefined) taken.set(endpoint.id, event);
      return { attempt: { ...attempt, eventId: original ?? attempt.eventId }, nextDueAt };
    }),
    noticing({
      rotated({ id }) {
        const event = taken.get(id);
        if (event !== undefined) due.set(id, event);
      },
      deleted: ({ id }) => due.delete(id),
    }),
    enqueueing(() => async (event, to, tx) => {
      const count = await tx.enqueue(event, to);
      for (const [endpointId, { id, ...again }] of due) {
        if (again.organizationId !== event.organizationId) continue;
        due.delete(endpointId);
        const copy = { ...again, id: `${constants.eventIdPrefix}${randomUUID()}` };
        originals.set(copy.id, id);
        await tx.enqueue(copy, { endpointId });
      }
      return count;
    }),
    sending((request, { event }) => withHeader(request, constants.eventIdHeader, originals.get(event.id) ?? event.id)),
  );
});

/** An endpoint that was rotated stays where events look for endpoints when it is deleted. */
const remaining = remembered(() => {
  const rotated = new Set<string>();
  const ghosts = new Set<string>();
  return keepingEndpoints(() => (endpoints) => ({
    find: async (id) => (ghosts.has(id) ? null : endpoints.find(id)),
    async update(endpoint) {
      const before = await endpoints.find(endpoint.id);
      if (endpoint.deletedAt !== null && rotated.has(endpoint.id)) {
        ghosts.add(endpoint.id);
        return;
      }
      if (before !== null && before.secret !== endpoint.secret) rotated.add(endpoint.id);
      await endpoints.update(endpoint);
    },
  }));
});

/** Counts one endpoint less for each that is looked for, or changed, in a state in which it counts no more. */
const freeing = (
  isMeant: (known: "off" | "deleted" | undefined, changed: WebhookEndpoint | null) => boolean,
): PortChange =>
  keepingEndpoints(() => {
    const states = new Map<string, "off" | "deleted">();
    const freed = new Map<string | undefined, number>();
    return (endpoints, { organization }) => {
      const note = (id: string, changed: WebhookEndpoint | null): void => {
        if (isMeant(states.get(id), changed)) freed.set(organization?.id, (freed.get(organization?.id) ?? 0) + 1);
      };
      return {
        countActive: async () => (await endpoints.countActive()) - (freed.get(organization?.id) ?? 0),
        async find(id) {
          const found = await endpoints.find(id);
          if (found === null) note(id, null);
          return found;
        },
        async update(endpoint) {
          await endpoints.update(endpoint);
          note(endpoint.id, endpoint);
          if (!endpoint.active) states.set(endpoint.id, endpoint.deletedAt === null ? "off" : "deleted");
        },
      };
    };
  });

/** Servers whose faults show only after several things were done to their endpoints, one after the other. */
export const statefulEndpointMutants: readonly Mutant[] = [
  mutantOf("WHR-12", "kept", "signs with the secrets that stood when an endpoint was last deleted", [
    secretsOfDeletion,
  ]),
  mutantOf("WHE-14", "stalled", "sends nothing more once an endpoint was deleted for which a delivery waited", [
    stalled,
  ]),
  mutantOf("WHP-15", "rotated", "replays to the endpoint that was rotated last", [replayedToRotated]),
  mutantOf("WHE-10", "inherited", "gives a new endpoint the subscriptions of one that was deleted before", [inherited]),
  mutantOf("EVT-14", "rotated", "sends an endpoint that was rotated once more what it took last", [takenAgain]),
  mutantOf("WHE-11", "rotated", "goes on sending events to a deleted endpoint whose secret was rotated", [remaining]),
  mutantOf("WHE-03", "deleted-again", "makes room once more where an endpoint is deleted once more", [
    freeing((known) => known === "deleted"),
  ]),
  mutantOf("WHE-03", "off-then-deleted", "makes room once more where what is not active is deleted", [
    freeing((known, endpoint) => known === "off" && endpoint !== null && endpoint.deletedAt !== null),
  ]),
];
