import { randomUUID } from "node:crypto";
import { constants } from "../../../generated/constants.ts";
import { eventTypes } from "../../../generated/events.ts";
import type { DeliveryAttempt } from "../../domain/deliveries/delivery.ts";
import type { WebhookEndpoint } from "../../domain/endpoints/webhook-endpoint.ts";
import type { Event } from "../../domain/events/event.ts";
import { newCustomer, type Organization } from "../../domain/organizations/organization.ts";
import type { DeliveryClaim, DueClaim } from "../../domain/work/due-work.ts";
import { deliveriesOf } from "../../testing/deliveries-of.ts";
import type { AttemptPage } from "../attempts/webhook-store.ts";
import type { Store } from "../store.ts";
import { unitsOf } from "./units.ts";

/** The real present of tests, in milliseconds since 1970. */
export const present = Date.UTC(2030, 0, 1);

/** Types of event. Which ones they are makes no difference to a store. */
export const [usualType, otherType, thirdType] = eventTypes;

/** A page of the feed that holds all that tests record. */
export const firstPage: AttemptPage = { before: null, limit: 1000, total: "matching" };

/** Short ways to fill a store. */
export function storeBench(store: Store) {
  const units = unitsOf(store);

  async function organization(given: Partial<Organization> = {}): Promise<Organization> {
    const made = { ...newCustomer({ newId: randomUUID }), ...given };
    await store.insertOrganization(made);
    return made;
  }

  async function endpoint(given: Pick<WebhookEndpoint, "organizationId"> & Partial<WebhookEndpoint>) {
    const made = endpointWith(given);
    if (!(await units.insertEndpoint(made))) throw new Error("There are too many endpoints.");
    return made;
  }

  async function due(given: Partial<DueClaim> = {}): Promise<readonly DeliveryClaim[]> {
    const { claims } = await store.dueWork.claimDue({
      ...{ lease: randomUUID(), now: present, leaseUntil: present + 1 },
      ...{ most: 200, mostPerPartition: 20, taken: new Map() },
      ...given,
    });
    return deliveriesOf(claims);
  }

  /** Whether it was written. */
  async function settle(claim: DeliveryClaim, attempt: DeliveryAttempt, nextDueAt: number | null): Promise<boolean> {
    const { written } = await store.dueWork.settle([{ claim, attempt, nextDueAt }]);
    return written[0] === true;
  }

  /** Has attempts at an endpoint on record, by way of one event that is attempted again and again. */
  async function record(at: WebhookEndpoint, attempts: readonly Partial<DeliveryAttempt>[]) {
    const event = eventOf({ organizationId: at.organizationId, createdAt: 0 });
    await units.emit(event, { endpointId: at.id });
    const recorded: DeliveryAttempt[] = [];
    for (const given of attempts) {
      const claim = (await due()).find(({ delivery }) => delivery.event.id === event.id);
      if (claim === undefined) throw new Error("The delivery is not due.");
      const attempt = attemptOf(claim, given);
      await settle(claim, attempt, 0);
      recorded.push(attempt);
    }
    return recorded;
  }

  /** Has attempts on record by one settlement, each of an event of its own. Nothing else may be due. */
  async function recordTogether(given: readonly { at: WebhookEndpoint; attempt: Partial<DeliveryAttempt> }[]) {
    const wanted = new Map<string, Partial<DeliveryAttempt>>();
    for (const { at, attempt } of given) {
      const event = eventOf({ organizationId: at.organizationId, createdAt: 0 });
      await units.emit(event, { endpointId: at.id });
      wanted.set(event.id, attempt);
    }
    const claims = await due({ mostPerPartition: given.length });
    const settlements = claims.map((claim) => ({
      claim,
      attempt: attemptOf(claim, wanted.get(claim.delivery.event.id)),
      nextDueAt: null,
    }));
    const { written } = await store.dueWork.settle(settlements);
    if (written.length < given.length || written.includes(false)) throw new Error("Not all of it was due.");
    return settlements.map(({ attempt }) => attempt);
  }

  return { store, units, webhooks: store.webhooks, organization, endpoint, due, settle, record, recordTogether };
}

export const endpointWith = (
  given: Pick<WebhookEndpoint, "organizationId"> & Partial<WebhookEndpoint>,
): WebhookEndpoint => ({
  id: randomUUID(),
  url: "https://receiver.example/hook?a=\u{1f600}",
  events: [usualType, thirdType],
  active: true,
  apiVersion: "2030-01-02",
  secret: Buffer.alloc(32, 7).toString("base64"),
  createdAt: 1,
  updatedAt: 1,
  deletedAt: null,
  ...given,
});

export const eventOf = (given: Pick<Event, "organizationId"> & Partial<Event>): Event => ({
  id: `${constants.eventIdPrefix}${randomUUID()}`,
  type: usualType,
  data: { line_type: constants.mobileLine },
  createdAt: present,
  ...given,
});

/** The record of an attempt at what was claimed. */
export const attemptOf = ({ delivery }: DeliveryClaim, given: Partial<DeliveryAttempt> = {}): DeliveryAttempt => ({
  id: randomUUID(),
  organizationId: delivery.event.organizationId,
  deliveryId: delivery.id,
  endpointId: delivery.endpoint.id,
  eventId: delivery.event.id,
  eventType: delivery.event.type,
  url: delivery.endpoint.url,
  attempt: delivery.attempts + 1,
  outcome: "success",
  responseStatus: 200,
  responseTimeMs: 3,
  requestBodySha256: "0".repeat(64),
  requestBodyBytes: 10,
  responseBodyExcerpt: "a\u0000\u{1f600}\ud800",
  requestHeaders: { "User-Agent": "x" },
  error: null,
  occurredAt: present,
  ...given,
});
