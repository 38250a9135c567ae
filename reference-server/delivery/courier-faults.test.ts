import { afterEach, describe, expect, it } from "vitest";
import { madeUpDelivery, madeUpEndpoint } from "../testing/made-up-delivery.ts";
import { MemoryQueue } from "../testing/memory-queue.ts";
import {
  endAll,
  eventually,
  outcomes,
  receiverThat,
  started,
  type TestCourierOptions,
  testCourier,
} from "../testing/test-courier.ts";
import { hang, ok } from "../testing/test-receiver.ts";

afterEach(endAll);

describe("a process that dies between sending and recording", () => {
  /** A courier that claims once, for a moment, and whose settling is up to the test. */
  function dying(settle: NonNullable<TestCourierOptions["seen"]>["settle"], queue = new MemoryQueue()) {
    let claimed = false;
    return started({
      queue,
      seen: {
        ...(settle ? { settle } : {}),
        async claimDue(claim) {
          if (claimed) return { claims: [], moreDue: false, someHeld: false };
          const due = await queue.claimDue({ ...claim, leaseUntil: claim.now + 100 });
          claimed = due.claims.length > 0;
          return due;
        },
      },
    });
  }

  it("leaves the delivery to another, which sends the same event again when the lease has run out", async () => {
    const receiver = await receiverThat(ok);
    const { queue } = dying(() => new Promise(() => undefined));
    queue.add(madeUpDelivery(madeUpEndpoint({ url: receiver.url })));
    await eventually(() => receiver.received.length).toBe(1);
    started({ queue });
    await eventually(() => outcomes(queue)).toEqual([[1, "success"]]);
    const ids = receiver.received.map(({ headers }) => headers["x-svc-event-id"]);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  it("does not write over what the other has recorded", async () => {
    const receiver = await receiverThat(ok);
    const queue = new MemoryQueue();
    const { promise: resumed, resolve: resume } = Promise.withResolvers<void>();
    let settling = false;
    const { logged } = dying(async (...settled) => {
      settling = true;
      await resumed;
      return queue.settle(...settled);
    }, queue);
    queue.add(madeUpDelivery(madeUpEndpoint({ url: receiver.url })));
    await eventually(() => settling).toBe(true);
    started({ queue });
    await eventually(() => queue.attempts).toHaveLength(1);
    resume();
    await eventually(() => logged.join("")).toContain("an attempt is not recorded");
    expect(queue.attempts).toHaveLength(1);
  });
});

describe("several couriers on one queue", () => {
  it("send each delivery once", async () => {
    const receiver = await receiverThat(ok);
    const queue = new MemoryQueue();
    for (let count = 0; count < 3; count++) started({ queue, pace: { mostPerPartition: 50 } });
    const endpoint = madeUpEndpoint({ url: receiver.url });
    const wanted = Array.from({ length: 200 }, () => madeUpDelivery(endpoint));
    for (const delivery of wanted) queue.add(delivery);
    await eventually(() => queue.attempts).toHaveLength(wanted.length);
    const ids = receiver.received.map(({ headers }) => headers["x-svc-event-id"]);
    expect(ids.toSorted()).toEqual(wanted.map(({ event }) => event.id).toSorted());
  });
});

describe("a queue that fails", () => {
  it("is asked again", async () => {
    const receiver = await receiverThat(ok);
    const queue = new MemoryQueue();
    let failures = 0;
    const failing = <Result>(then: () => Promise<Result>): Promise<Result> =>
      failures++ % 3 === 2 ? then() : Promise.reject(new Error("The database is away."));
    const { logged } = started({
      queue,
      pace: { leaseSlack: 60_000 },
      seen: {
        claimDue: (claim) => failing(() => queue.claimDue(claim)),
        settle: (...settled) => failing(() => queue.settle(...settled)),
      },
    });
    queue.add(madeUpDelivery(madeUpEndpoint({ url: receiver.url })));
    await eventually(() => queue.attempts).toHaveLength(1);
    expect(receiver.received).toHaveLength(1);
    expect(logged.join("")).toContain("cannot be looked up");
  });
});

describe("closing", () => {
  it("lets an attempt under way finish, and begins none", async () => {
    const receiver = await receiverThat((response) => void setTimeout(() => response.end("ok"), 100));
    const { queue, courier } = started();
    queue.add(madeUpDelivery(madeUpEndpoint({ url: receiver.url })));
    await eventually(() => receiver.received.length).toBe(1);
    const closed = courier.close();
    queue.add(madeUpDelivery(madeUpEndpoint({ url: receiver.url })));
    await closed;
    expect(outcomes(queue)).toEqual([[1, "success"]]);
    expect(receiver.received).toHaveLength(1);
  });

  it("breaks off what hangs without a record of it, so that it is sent again", async () => {
    const receiver = await receiverThat(hang);
    const { queue, courier, logged } = started({ patience: { total: 60_000 } });
    queue.add(madeUpDelivery(madeUpEndpoint({ url: receiver.url })));
    await eventually(() => receiver.received.length).toBe(1);
    await courier.close(50);
    expect(queue.attempts).toEqual([]);
    expect(logged.join("")).toContain("a delivery was broken off");
  });

  it("stops trying to record", async () => {
    const receiver = await receiverThat(ok);
    let tries = 0;
    const settle = () => {
      tries++;
      return Promise.reject(new Error("The database is away."));
    };
    const { queue, courier, logged } = started({ seen: { settle } });
    queue.add(madeUpDelivery(madeUpEndpoint({ url: receiver.url })));
    await eventually(() => tries).toBeGreaterThan(1);
    await courier.close(0);
    expect(logged.join("")).toContain("an attempt is not recorded");
    const before = tries;
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(tries).toBe(before);
  });

  it("does not wait for a queue that never answers", async () => {
    const { courier } = testCourier({ seen: { claimDue: () => new Promise(() => undefined) } });
    courier.start();
    await courier.close(20);
  });

  it("is possible without a start, and twice", async () => {
    const { courier } = testCourier();
    await courier.close();
    await courier.close();
  });
});
