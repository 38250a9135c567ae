import type { OrganizationClock } from "../domain/clock.ts";
import type { Delivery, DeliveryAttempt, Outcome } from "../domain/deliveries/delivery.ts";
import type { ForcedAnswer } from "../domain/deliveries/receiver-answer.ts";
import type { WebhookEndpoint } from "../domain/endpoints/webhook-endpoint.ts";
import type { DeliveryClaim, DueClaim, DueWorkQueue, Lease } from "../domain/work/due-work.ts";
import { deliveriesOf } from "./deliveries-of.ts";
import { madeUpDelivery, madeUpEndpoint } from "./made-up-delivery.ts";

/** A queue with what a test needs around it. */
export interface QueueBench {
  readonly queue: DueWorkQueue;
  /** A new organization; gives its id. */
  organization(clock: OrganizationClock): Promise<string>;
  clock(organizationId: string): Promise<OrganizationClock>;
  /** Puts a delivery into the queue, with its event and, unless it is there, its endpoint. */
  add(delivery: Delivery): Promise<void>;
  /** Replaces an endpoint that is there. */
  change(endpoint: WebhookEndpoint): Promise<void>;
  /** Has the next attempts at an endpoint answered in this way. */
  force(endpoint: WebhookEndpoint, answers: readonly ForcedAnswer[]): Promise<void>;
  attempts(): Promise<readonly DeliveryAttempt[]>;
}

/** The real present. */
export const now = Date.UTC(2030, 0, 1);
/** Where manual clocks start. */
export const start = Date.UTC(2029, 0, 1);

let leases = 0;
export const newLease = (given: Partial<Lease> = {}): Lease => ({
  lease: `lease-${leases++}`,
  now,
  leaseUntil: now + 1_000,
  ...given,
});

/** A bench with an organization, an endpoint of it, and short ways to add deliveries and to claim them. */
export async function withEndpoint(open: () => Promise<QueueBench>, clock: OrganizationClock = { mode: "real" }) {
  const bench = await open();
  const organizationId = await bench.organization(clock);
  const endpoint = madeUpEndpoint({ organizationId });
  async function add(dueAt: number, at = endpoint): Promise<Delivery> {
    const delivery = madeUpDelivery(at, { dueAt });
    await bench.add(delivery);
    return delivery;
  }
  const due = async (given: Partial<DueClaim> = {}): Promise<readonly DeliveryClaim[]> => {
    const all = { ...newLease(), most: 20, mostPerPartition: 10, taken: new Map() };
    return deliveriesOf((await bench.queue.claimDue({ ...all, ...given })).claims);
  };
  const settle = async (claim: DeliveryClaim, attempt: DeliveryAttempt, nextDueAt: number | null): Promise<boolean> => {
    const { written } = await bench.queue.settle([{ claim, attempt, nextDueAt }]);
    return written[0] === true;
  };
  const next = (until: number, given: Partial<Lease> & { readonly most?: number } = {}) =>
    bench.queue.claimNext({ ...newLease(), organizationId, until, most: 10, ...given });
  return { ...bench, organizationId, endpoint, put: bench.add, add, due, settle, next };
}

/** A claim that must be there. */
export function claimed(claim: DeliveryClaim | undefined): DeliveryClaim {
  if (claim === undefined) throw new Error("Nothing was claimed.");
  return claim;
}

/** A record of its attempt. */
export function recordOf(claim: DeliveryClaim | undefined, outcome: Outcome): DeliveryAttempt {
  const { delivery } = claimed(claim);
  return {
    id: crypto.randomUUID(),
    organizationId: delivery.event.organizationId,
    deliveryId: delivery.id,
    endpointId: delivery.endpoint.id,
    eventId: delivery.event.id,
    eventType: delivery.event.type,
    url: delivery.endpoint.url,
    attempt: delivery.attempts + 1,
    outcome,
    responseStatus: outcome === "success" ? 200 : null,
    responseTimeMs: 3,
    requestBodySha256: "0".repeat(64),
    requestBodyBytes: 10,
    responseBodyExcerpt: outcome === "success" ? "a\u0000\u{1F600}" : "",
    requestHeaders: { "User-Agent": "x" },
    error: outcome === "success" ? null : "the connection was refused",
    occurredAt: now,
  };
}
