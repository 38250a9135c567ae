import { randomBytes, randomUUID } from "node:crypto";
import { Writable } from "node:stream";
import { expect } from "vitest";
import { Courier, type CourierOptions, type Pace } from "../delivery/courier.ts";
import { createSender, type SendPatience } from "../delivery/send-attempt.ts";
import { usualManner } from "../domain/deliveries/delivery-request.ts";
import type { RetrySchedule } from "../domain/deliveries/retry-schedule.ts";
import { createLog } from "../log.ts";
import { MemoryQueue } from "./memory-queue.ts";
import { type Behaviour, startReceiver } from "./test-receiver.ts";

export interface TestCourierOptions {
  /** The queue to serve, which several couriers may share; a new one unless given. */
  readonly queue?: MemoryQueue;
  /** What the courier sees of the queue in place of the whole. */
  readonly seen?: Partial<CourierOptions["queue"]>;
  readonly patience?: Partial<SendPatience>;
  readonly schedule?: RetrySchedule;
  readonly pace?: Partial<Pace>;
}

/** Expects of something that it comes to be, on a busy machine too. */
export const eventually = <Value>(read: () => Value) => expect.poll(read);

/** Retries after a moment. */
export const quickSchedule: RetrySchedule = { waits: [0, 10, 20, 30], goneIsDead: true };

const quickPace: Pace = { most: 50, mostPerPartition: 2, mostPerAdvance: 50, poll: 20, gather: 1, leaseSlack: 10_000 };

/** A courier that calls receivers on this machine, and is not started yet. */
export function testCourier({ seen, patience, schedule = quickSchedule, pace, ...given }: TestCourierOptions = {}) {
  const queue = given.queue ?? new MemoryQueue();
  const logged: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      logged.push(String(chunk));
      done();
    },
  });
  const log = createLog("trace", sink);
  const whole: CourierOptions["queue"] = {
    claimDue: (claim) => queue.claimDue(claim),
    claimNext: (claim) => queue.claimNext(claim),
    settle: (settlements) => queue.settle(settlements),
  };
  const courier = new Courier({
    queue: { ...whole, ...seen },
    sender: createSender({
      policy: { loopback: true },
      patience: { connect: 10_000, total: 20_000, body: 20_000, ...patience },
      unexpected: (problem) => log.fatal({ err: problem }, "unexpected"),
    }),
    world: { now: Date.now, randomBytes, newId: randomUUID },
    log,
    expire: async () => undefined,
    conclude: async () => undefined,
    manner: { ...usualManner, userAgent: "test/1" },
    schedule,
    pace: { ...quickPace, ...pace },
  });
  return { courier, queue, logged };
}

const endings: (() => Promise<void>)[] = [];

/** Ends what `receiverThat` and `started` began; for `afterEach`. */
export async function endAll(): Promise<void> {
  for (const end of endings.splice(0).reverse()) await end();
}

/** A receiver until `endAll`. */
export async function receiverThat(behaviour: Behaviour) {
  const receiver = await startReceiver(behaviour);
  endings.push(receiver.close);
  return receiver;
}

/** A courier at work until `endAll`. */
export function started(options: TestCourierOptions = {}) {
  const test = testCourier(options);
  test.courier.start();
  endings.push(() => test.courier.close(0));
  return test;
}

export const outcomes = (queue: MemoryQueue) => queue.attempts.map(({ attempt, outcome }) => [attempt, outcome]);
