import { type OrganizationClock, timeOf } from "../domain/clock.ts";
import type { Delivery, DeliveryAttempt } from "../domain/delivery.ts";
import type { Claim, DeliveryQueue, DueClaim, Lease, NextClaim, NextClaimed } from "../domain/delivery-queue.ts";
import type { ForcedAnswer } from "../domain/receiver-answer.ts";
import type { WebhookEndpoint } from "../domain/webhook-endpoint.ts";

interface Waiting {
  readonly delivery: Omit<Delivery, "endpoint">;
  readonly endpointId: string;
  readonly held: Pick<Lease, "lease" | "leaseUntil"> | null;
  readonly forced: ForcedAnswer | null;
}

/** The queue that tests use: all in memory, each method in one go. */
export class MemoryQueue implements DeliveryQueue {
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

  async claimDue({ now, most, mostPerEndpoint, ...lease }: DueClaim): Promise<readonly Claim[]> {
    const taken = new Map<string, number>();
    for (const { endpointId, held } of this.#waiting.values())
      if (isHeld(held, now)) taken.set(endpointId, (taken.get(endpointId) ?? 0) + 1);
    const claims: Claim[] = [];
    for (const waiting of this.#due("real", now)) {
      const count = taken.get(waiting.endpointId) ?? 0;
      if (claims.length === most) break;
      if (isHeld(waiting.held, now) || count >= mostPerEndpoint) continue;
      taken.set(waiting.endpointId, count + 1);
      claims.push(this.#claim(waiting, lease));
    }
    return claims;
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

  async settle({ delivery, lease }: Claim, attempt: DeliveryAttempt, nextDueAt: number | null): Promise<boolean> {
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
    return { delivery, clock: this.#clock(organizationId), lease: held.lease, forced };
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
