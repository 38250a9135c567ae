import { type OrganizationClock, timeOf } from "../domain/clock.ts";
import type { Delivery, DeliveryAttempt } from "../domain/deliveries/delivery.ts";
import type { ForcedAnswer } from "../domain/deliveries/receiver-answer.ts";
import type { WebhookEndpoint } from "../domain/endpoints/webhook-endpoint.ts";
import { dealPlaces } from "../domain/work/deal-places.ts";
import type {
  Claim,
  DueClaim,
  DueClaimed,
  DueWorkQueue,
  Lease,
  NextClaim,
  NextClaimed,
  Settled,
  Settlement,
} from "../domain/work/due-work.ts";

interface Waiting {
  readonly delivery: Omit<Delivery, "endpoint">;
  readonly endpointId: string;
  readonly held: Pick<Lease, "lease" | "leaseUntil"> | null;
  readonly forced: ForcedAnswer | null;
}

/** The queue that tests use: all in memory, each method in one go. */
export class MemoryQueue implements DueWorkQueue {
  readonly attempts: DeliveryAttempt[] = [];
  readonly clocks = new Map<string, OrganizationClock>();
  readonly endpoints = new Map<string, WebhookEndpoint>();
  readonly #waiting = new Map<string, Waiting>();
  readonly #forced = new Map<string, ForcedAnswer[]>();

  add({ endpoint, ...delivery }: Delivery): void {
    this.endpoints.set(endpoint.id, endpoint);
    this.#waiting.set(delivery.id, { delivery, endpointId: endpoint.id, held: null, forced: null });
  }

  force(endpointId: string, answer: ForcedAnswer): void {
    this.#forced.set(endpointId, [...(this.#forced.get(endpointId) ?? []), answer]);
  }

  async claimDue({ now, most, mostPerPartition, taken, ...lease }: DueClaim): Promise<DueClaimed> {
    const leased = new Map<string, number>();
    for (const { endpointId, held } of this.#waiting.values())
      if (isHeld(held, now)) leased.set(endpointId, (leased.get(endpointId) ?? 0) + 1);
    const due = this.#due("real", now).filter(({ held }) => !isHeld(held, now));
    const fitting = due.filter(({ endpointId }) => {
      const count = leased.get(endpointId) ?? 0;
      leased.set(endpointId, count + 1);
      return count < mostPerPartition;
    });
    const wanted = fitting.map((waiting) => ({ waiting, organizationId: waiting.delivery.event.organizationId }));
    const claims = dealPlaces(wanted, most, taken).map(({ waiting }) => this.#claim(waiting, lease));
    return { claims, moreDue: claims.length < wanted.length, someHeld: false };
  }

  async claimNext({ organizationId, until, most, now, ...lease }: NextClaim): Promise<NextClaimed> {
    const due = this.#due("manual", until).filter(({ delivery }) => delivery.event.organizationId === organizationId);
    const [first] = due;
    if (first === undefined) {
      this.#moveClock(organizationId, until);
      return { kind: "none" };
    }
    const { dueAt } = first.delivery;
    const free = due.filter(({ delivery, held }) => delivery.dueAt === dueAt && !isHeld(held, now));
    if (free.length === 0) return { kind: "held" };
    this.#moveClock(organizationId, dueAt);
    return { kind: "claimed", claims: free.slice(0, most).map((waiting) => this.#claim(waiting, lease)) };
  }

  async settle(settlements: readonly Settlement[]): Promise<Settled> {
    const written = settlements.map((settlement) => this.#settle(settlement));
    if (!written.includes(true)) return { written, lookAt: null };
    const waiting = [...this.#waiting.values()].filter(({ held }) => held === null);
    const at = waiting.map(({ delivery }) => delivery.dueAt);
    return { written, lookAt: at.length === 0 ? null : Math.min(...at) };
  }

  #settle(settlement: Settlement): boolean {
    if (!("attempt" in settlement)) throw new Error("This queue holds deliveries alone.");
    const { attempt, nextDueAt } = settlement;
    const { delivery, lease } = settlement.claim;
    const waiting = this.#waiting.get(delivery.id);
    if (waiting?.held?.lease !== lease) return false;
    this.attempts.push(attempt);
    if (nextDueAt === null) this.#waiting.delete(delivery.id);
    else {
      const next = { ...waiting.delivery, attempts: waiting.delivery.attempts + 1, dueAt: nextDueAt };
      this.#waiting.set(delivery.id, { ...waiting, delivery: next, held: null, forced: null });
    }
    return true;
  }

  /** Of deliverable endpoints, the longest due first. */
  #due(mode: OrganizationClock["mode"], until: number): readonly Waiting[] {
    return [...this.#waiting.values()]
      .filter(({ delivery, endpointId }) => {
        const { active, deletedAt } = this.#endpoint(endpointId);
        const { mode: lives } = this.#clock(delivery.event.organizationId);
        return lives === mode && active && deletedAt === null && delivery.dueAt <= until;
      })
      .toSorted((one, other) => one.delivery.dueAt - other.delivery.dueAt);
  }

  #claim(waiting: Waiting, held: Pick<Lease, "lease" | "leaseUntil">): Claim {
    const { organizationId } = waiting.delivery.event;
    const forced = waiting.forced ?? this.#forced.get(waiting.endpointId)?.shift() ?? null;
    this.#waiting.set(waiting.delivery.id, { ...waiting, held, forced });
    const delivery = { ...waiting.delivery, endpoint: this.#endpoint(waiting.endpointId) };
    return {
      kind: "delivery",
      organizationId,
      delivery,
      clock: this.#clock(organizationId),
      lease: held.lease,
      forced,
    };
  }

  #endpoint(id: string): WebhookEndpoint {
    const endpoint = this.endpoints.get(id);
    if (endpoint === undefined) throw new Error(`There is no endpoint ${id}.`);
    return endpoint;
  }

  #clock(organizationId: string): OrganizationClock {
    return this.clocks.get(organizationId) ?? { mode: "real" };
  }

  #moveClock(organizationId: string, to: number): void {
    const at = Math.max(timeOf(this.#clock(organizationId), to), to);
    this.clocks.set(organizationId, { mode: "manual", at });
  }
}

const isHeld = (held: Waiting["held"], now: number): boolean => held !== null && held.leaseUntil > now;
