import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import type { Claim, DeliveryQueue, Lease } from "../domain/delivery-queue.ts";
import type { DeliveryManner } from "../domain/delivery-request.ts";
import { type RetrySchedule, usualSchedule } from "../domain/retry-schedule.ts";
import type { World } from "../domain/world.ts";
import { type AdvancedDeliveries, advanceDeliveries, usualAdvanceBound } from "./advance-deliveries.ts";
import { Alarm } from "./alarm.ts";
import { backOff } from "./back-off.ts";
import { type DeliverParts, deliver } from "./deliver.ts";
import { deliveryLog } from "./delivery-log.ts";
import type { Sender } from "./send-attempt.ts";

/** How much a courier does at once. Times are milliseconds. */
export interface Pace {
  /** Attempts at once, those of manual clocks aside. */
  readonly most: number;
  /** Of them to one endpoint, so that one that hangs holds up no others. */
  readonly mostPerEndpoint: number;
  /** Attempts at once for each advance of a manual clock. */
  readonly mostPerAdvance: number;
  /** How often it looks for what is due when nobody wakes it. */
  readonly poll: number;
  /** How much longer than the longest attempt a lease is. */
  readonly leaseSlack: number;
}

export const usualPace: Pace = { most: 500, mostPerEndpoint: 5, mostPerAdvance: 50, poll: 500, leaseSlack: 15_000 };

/** For deliveries under way when the courier closes, unless told otherwise. In milliseconds. */
const usualCloseTime = 10_000;

/** For writing the records of those that were broken off. In milliseconds. */
const lastWritesTime = 1_000;

export interface CourierOptions {
  readonly queue: DeliveryQueue;
  /** The courier's own: closing stops it. */
  readonly sender: Sender;
  readonly world: World;
  readonly log: Logger;
  readonly manner: DeliveryManner;
  readonly schedule?: RetrySchedule;
  readonly pace?: Pace;
}

/** Carries due deliveries to their receivers: at least once, in no particular order. */
export class Courier {
  readonly #options: CourierOptions;
  readonly #pace: Pace;
  readonly #parts: DeliverParts;
  readonly #stopping = new AbortController();
  readonly #alarm = new Alarm();
  readonly #underway = new Set<Promise<void>>();
  /** Attempts under way for real clocks: in all, and by endpoint. */
  #taken = 0;
  readonly #takenBy = new Map<string, number>();
  /** The last claim took all that there was room for, so more may be due. */
  #moreDue = false;
  #closing = false;
  #loop: Promise<void> = Promise.resolve();

  constructor(options: CourierOptions) {
    const { queue, sender, world, log, manner, schedule = usualSchedule, pace = usualPace } = options;
    this.#options = options;
    this.#pace = pace;
    const note = deliveryLog(log);
    this.#parts = { queue, sender, world, log, manner, schedule, note, stopping: this.#stopping.signal };
  }

  /** Begins to serve real clocks. To be called once. */
  start(): void {
    this.#loop = this.#run();
  }

  /** Tells that something has become due. What nobody tells of is found a little later. */
  wake(): void {
    this.#alarm.ring();
  }

  /** Runs what falls due on a manual clock up to `until`, for so many real milliseconds. Rejects when the queue fails. */
  async advance(organizationId: string, until: number, within = usualAdvanceBound): Promise<AdvancedDeliveries> {
    if (this.#closing) return { settled: false };
    return advanceDeliveries(this.#options.queue, organizationId, until, {
      newLease: () => this.#newLease(),
      deliver: (claim, leaseUntil) => this.#track(deliver(claim, leaseUntil, this.#parts)),
      most: this.#pace.mostPerAdvance,
      within,
    });
  }

  /**
   * Claims nothing more, lets attempts under way finish for so many milliseconds, and breaks off the rest: they are
   * made again when their leases have run out.
   */
  async close(within = usualCloseTime): Promise<void> {
    this.#closing = true;
    this.#alarm.ring();
    await this.#finish(within);
    this.#stopping.abort();
    this.#options.sender.stop();
    await this.#finish(lastWritesTime);
  }

  async #run(): Promise<void> {
    for (let failures = 0; !this.#closing; ) {
      try {
        await this.#claim();
        if (failures > 0) this.#options.log.info("deliveries are looked up again");
        failures = 0;
        await this.#alarm.wait(this.#pace.poll);
      } catch (problem) {
        failures++;
        this.#options.log.error({ err: problem, failures }, "due deliveries cannot be looked up; it is tried again");
        await this.#pause(backOff(failures));
      }
    }
  }

  async #claim(): Promise<void> {
    const { most, mostPerEndpoint } = this.#pace;
    const room = most - this.#taken;
    if (room === 0) return;
    const lease = this.#newLease();
    const claims = await this.#options.queue.claimDue({ ...lease, most: room, mostPerEndpoint });
    this.#moreDue = claims.length >= room;
    for (const claim of claims) void this.#track(this.#carry(claim, lease.leaseUntil));
  }

  /** Delivers, and looks for more when this one may have held others up. */
  async #carry(claim: Claim, leaseUntil: number): Promise<void> {
    const endpoint = claim.delivery.endpoint.id;
    this.#taken++;
    this.#takenBy.set(endpoint, (this.#takenBy.get(endpoint) ?? 0) + 1);
    await deliver(claim, leaseUntil, this.#parts);
    const taken = this.#takenBy.get(endpoint) ?? 1;
    this.#taken--;
    if (taken > 1) this.#takenBy.set(endpoint, taken - 1);
    else this.#takenBy.delete(endpoint);
    if (this.#moreDue || taken >= this.#pace.mostPerEndpoint) this.#alarm.ring();
  }

  #newLease(): Lease {
    const { sender, world } = this.#options;
    const now = world.now();
    return { lease: world.newId(), now, leaseUntil: now + sender.longest + this.#pace.leaseSlack };
  }

  #track(delivery: Promise<void>): Promise<void> {
    const tracked = delivery.finally(() => this.#underway.delete(tracked));
    this.#underway.add(tracked);
    return tracked;
  }

  /** Until the loop and all that is under way are done, or for so many milliseconds. */
  async #finish(within: number): Promise<void> {
    const late = new AbortController();
    const time = pause(within, undefined, { signal: late.signal }).catch(() => undefined);
    const done = this.#loop.then(() => Promise.all(this.#underway));
    await Promise.race([time, done]);
    late.abort();
  }

  /** Ends early when the courier stops. */
  async #pause(milliseconds: number): Promise<void> {
    await pause(milliseconds, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }
}
