import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import { type Carrier, simulatedCarrier } from "../domain/carrier/carrier.ts";
import type { DeliveryManner } from "../domain/deliveries/delivery-request.ts";
import { type RetrySchedule, usualSchedule } from "../domain/deliveries/retry-schedule.ts";
import type { Claim, DueWorkQueue, Lease, WorkKind } from "../domain/work/due-work.ts";
import type { World } from "../domain/world.ts";
import { type AdvancedDeliveries, advanceDeliveries, usualAdvanceBound } from "./advance-deliveries.ts";
import { Alarm } from "./alarm.ts";
import { backOff } from "./back-off.ts";
import { batchedSettling } from "./batched-settling.ts";
import { carryDoubleOptIn, type ExpireDoubleOptIn } from "./carry-double-opt-in.ts";
import { type ConcludeRegistration, concludeRegistration } from "./conclude-registration.ts";
import { deliver } from "./deliver.ts";
import { deliveryLog } from "./delivery-log.ts";
import type { Sender } from "./send-attempt.ts";
import { sendMessage } from "./send-message.ts";

/** How much a courier does at once. Times are milliseconds. */
export interface Pace {
  /** Work at once, that of manual clocks aside. An organization gets no more of it than it leaves free. */
  readonly most: number;
  /** Of them of one partition, such as an endpoint, so that one that hangs holds up no others. */
  readonly mostPerPartition: number;
  /** Work at once for each advance of a manual clock. */
  readonly mostPerAdvance: number;
  /** How often it looks for what is due when nobody wakes it. */
  readonly poll: number;
  /** How long it waits, while it is busy, for more to claim or to settle together. */
  readonly gather: number;
  /** How much longer than the longest attempt a lease is. */
  readonly leaseSlack: number;
}

export const usualPace: Pace = {
  most: 500,
  mostPerPartition: 5,
  mostPerAdvance: 50,
  poll: 500,
  gather: 5,
  leaseSlack: 15_000,
};

/** How soon work that others have their hands on is looked at again, in milliseconds. */
const heldPoll = 10;

/** For deliveries under way when the courier closes, unless told otherwise. In milliseconds. */
const usualCloseTime = 10_000;

/** For writing the records of those that were broken off. In milliseconds. */
const lastWritesTime = 1_000;

export interface CourierOptions {
  readonly queue: DueWorkQueue;
  /** The courier's own: closing stops it. */
  readonly sender: Sender;
  /** Simulated unless given. */
  readonly carrier?: Carrier;
  readonly world: World;
  readonly log: Logger;
  readonly manner: DeliveryManner;
  /** Ends a double opt-in that nobody answered, and tells of it; nothing happens when it has ended before. */
  readonly expire: ExpireDoubleOptIn;
  /** Ends the verification of a brand or the review of a campaign; nothing happens when it has ended before. */
  readonly conclude: ConcludeRegistration;
  readonly schedule?: RetrySchedule;
  readonly pace?: Pace;
}

/** Does claimed work of one kind until it is settled; never rejects. */
type Handlers = {
  readonly [Kind in WorkKind]: (claim: Extract<Claim, { readonly kind: Kind }>, leaseUntil: number) => Promise<void>;
};

/** Does what is due, each kind by its handler: at least once, in no particular order. */
export class Courier {
  readonly #options: CourierOptions;
  readonly #pace: Pace;
  readonly #handlers: Handlers;
  readonly #stopping = new AbortController();
  readonly #alarm = new Alarm();
  readonly #underway = new Set<Promise<void>>();
  /** Work under way for real clocks: in all, and by organization. */
  #taken = 0;
  readonly #takenBy = new Map<string, number>();
  /** The last claim left out what had no place. */
  #moreDue = false;
  #closing = false;
  #loop: Promise<void> = Promise.resolve();

  constructor(options: CourierOptions) {
    const {
      queue,
      sender,
      world,
      log,
      manner,
      expire,
      conclude,
      schedule = usualSchedule,
      pace = usualPace,
      carrier = simulatedCarrier,
    } = options;
    this.#options = options;
    this.#pace = pace;
    const settle = batchedSettling({
      queue,
      gather: pace.gather,
      underway: () => this.#underway.size,
      onRoom: (lookAt) => {
        if (lookAt <= world.now()) this.#alarm.ring();
      },
    });
    const note = deliveryLog(log);
    const shared = { settle, world, log, stopping: this.#stopping.signal };
    this.#handlers = {
      delivery: (claim, leaseUntil) => deliver(claim, leaseUntil, { ...shared, sender, manner, schedule, note }),
      send: (claim, leaseUntil) => sendMessage(claim, leaseUntil, { ...shared, carrier }),
      "double-opt-in": (claim, leaseUntil) => carryDoubleOptIn(claim, leaseUntil, { ...shared, carrier, expire }),
      registration: (claim, leaseUntil) => concludeRegistration(claim, leaseUntil, { ...shared, conclude }),
    };
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
      deliver: (claim, leaseUntil) => this.#track(this.#handle(claim, leaseUntil)),
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
        if (failures > 0) this.#options.log.info("due work is looked up again");
        failures = 0;
        await this.#alarm.wait(this.#pace.poll);
      } catch (problem) {
        failures++;
        this.#options.log.error({ err: problem, failures }, "due work cannot be looked up; it is tried again");
        await this.#pause(backOff(failures));
      }
    }
  }

  async #claim(): Promise<void> {
    const { mostPerPartition, gather } = this.#pace;
    if (this.#taken > 0) await this.#pause(gather);
    const most = this.#pace.most - this.#taken;
    if (most === 0 || this.#closing) return;
    const lease = this.#newLease();
    const { claims, moreDue, someHeld } = await this.#options.queue.claimDue({
      ...{ ...lease, most, mostPerPartition },
      taken: new Map(this.#takenBy),
    });
    this.#moreDue = moreDue;
    if (someHeld) setTimeout(() => this.#alarm.ring(), heldPoll).unref();
    for (const claim of claims) void this.#track(this.#carry(claim, lease.leaseUntil));
  }

  #handle(claim: Claim, leaseUntil: number): Promise<void> {
    switch (claim.kind) {
      case "delivery":
        return this.#handlers.delivery(claim, leaseUntil);
      case "send":
        return this.#handlers.send(claim, leaseUntil);
      case "double-opt-in":
        return this.#handlers["double-opt-in"](claim, leaseUntil);
      case "registration":
        return this.#handlers.registration(claim, leaseUntil);
    }
  }

  /** Does it, and looks for more when this may have held others up. */
  async #carry(claim: Claim, leaseUntil: number): Promise<void> {
    const { organizationId } = claim;
    this.#taken++;
    this.#takenBy.set(organizationId, (this.#takenBy.get(organizationId) ?? 0) + 1);
    await this.#handle(claim, leaseUntil);
    const taken = this.#takenBy.get(organizationId) ?? 1;
    this.#taken--;
    if (taken > 1) this.#takenBy.set(organizationId, taken - 1);
    else this.#takenBy.delete(organizationId);
    if (this.#moreDue) this.#alarm.ring();
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
