import { describe, expect, it } from "vitest";
import type { Settlement } from "../domain/work/due-work.ts";
import { deliveriesOf } from "../testing/deliveries-of.ts";
import { madeUpDelivery, madeUpEndpoint } from "../testing/made-up-delivery.ts";
import { MemoryQueue } from "../testing/memory-queue.ts";
import { newLease, recordOf } from "../testing/queue-bench.ts";
import { batchedSettling } from "./batched-settling.ts";

const never = 3_600_000;

async function settlements(
  queue: MemoryQueue,
  count: number,
  endpoint = madeUpEndpoint(),
): Promise<readonly Settlement[]> {
  for (let index = 0; index < count; index++) queue.add(madeUpDelivery(endpoint));
  const { claims } = await queue.claimDue({ ...newLease(), most: 100, mostPerPartition: 100, taken: new Map() });
  return deliveriesOf(claims).map((claim) => ({ claim, attempt: recordOf(claim, "success"), nextDueAt: null }));
}

function begin(fails: (batch: readonly Settlement[]) => boolean = () => false) {
  const queue = new MemoryQueue();
  const sizes: number[] = [];
  const seen = {
    async settle(batch: readonly Settlement[]) {
      sizes.push(batch.length);
      if (fails(batch)) throw new Error("It cannot be written.");
      return queue.settle(batch);
    },
  };
  return { queue, seen, sizes };
}

describe("settlements", () => {
  it("are written together when all that may come have come", async () => {
    const { queue, seen, sizes } = begin();
    const three = await settlements(queue, 3);
    const settle = batchedSettling({ queue: seen, gather: never, underway: () => 3, onRoom: () => undefined });
    expect(await Promise.all(three.map(settle))).toEqual([true, true, true]);
    expect(sizes).toEqual([3]);
  });

  it("do not wait long for others that do not come", async () => {
    const { queue, seen, sizes } = begin();
    const two = await settlements(queue, 2);
    const settle = batchedSettling({ queue: seen, gather: 1, underway: () => 9, onRoom: () => undefined });
    expect(await Promise.all(two.map(settle))).toEqual([true, true]);
    expect(sizes).toEqual([2]);
  });

  it("are written one by one when one of them cannot be, which alone fails", async () => {
    const { queue, seen, sizes } = begin((batch) => batch.some((each) => each === three[1]));
    const three = await settlements(queue, 3);
    const settle = batchedSettling({ queue: seen, gather: never, underway: () => 3, onRoom: () => undefined });
    const ends = await Promise.allSettled(three.map(settle));
    expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(sizes).toEqual([3, 1, 1, 1]);
    expect(queue.attempts).toHaveLength(2);
  });

  it("of one organization that is held up keep those of others waiting no longer than it takes to find out", async () => {
    const { queue, seen, sizes } = begin((batch) => new Set(batch.map(({ claim }) => claim.organizationId)).size > 1);
    const [held, free] = ["held", "free"].map((organizationId) => madeUpEndpoint({ organizationId }));
    const ofHeld = await settlements(queue, 3, held);
    const ofFree = await settlements(queue, 3, free);
    const release = Promise.withResolvers<void>();
    const stuck = {
      async settle(batch: readonly Settlement[]) {
        const settled = seen.settle(batch);
        if (batch.every(({ claim }) => claim.organizationId === "held")) await release.promise;
        return settled;
      },
    };
    const settle = batchedSettling({ queue: stuck, gather: 1, underway: () => 2, onRoom: () => undefined });
    const pairs = ofHeld.map((one, index) => [one, ofFree[index]].map((each) => (each ? settle(each) : null)));
    for (const [, other] of pairs) expect(await other).toBe(true);
    // One call waits for the organization that is held; what came since waits behind it and goes together.
    const before = sizes.length;
    release.resolve();
    for (const [one] of pairs) expect(await one).toBe(true);
    expect(sizes.slice(before)).toEqual([2]);
  });

  it("of one organization are under way one call at a time, while somebody holds its work and when that fails", async () => {
    const { queue } = begin();
    const six = await settlements(queue, 6);
    const held = Promise.withResolvers<never>();
    const sizes: number[] = [];
    let underway = 0;
    let most = 0;
    const stuck = {
      async settle(batch: readonly Settlement[]) {
        sizes.push(batch.length);
        most = Math.max(most, ++underway);
        try {
          return await (batch.length > 1 ? held.promise : queue.settle(batch));
        } finally {
          underway--;
        }
      },
    };
    const settle = batchedSettling({ queue: stuck, gather: never, underway: () => 2, onRoom: () => undefined });
    const written = six.map(settle);
    held.reject(new Error("It took too long."));
    expect(await Promise.all(written)).toEqual(six.map(() => true));
    expect(sizes).toEqual([2, 1, 1, 4, 1, 1, 1, 1]);
    expect(most).toBe(1);
  });

  it("say when there is room for what waited", async () => {
    const { queue, seen } = begin();
    const [one] = await settlements(queue, 1);
    queue.add(madeUpDelivery(madeUpEndpoint(), { dueAt: 7 }));
    const room: number[] = [];
    const settle = batchedSettling({ queue: seen, gather: 1, underway: () => 1, onRoom: (at) => void room.push(at) });
    if (one !== undefined) await settle(one);
    expect(room).toEqual([7]);
  });
});
