import { expect, it } from "vitest";
import type { DeliveryClaim, DueWorkQueue } from "../domain/work/due-work.ts";
import { deliveriesOf } from "./deliveries-of.ts";
import { madeUpDelivery, madeUpEndpoint } from "./made-up-delivery.ts";
import { claimed, newLease, now, type QueueBench, recordOf, start, withEndpoint } from "./queue-bench.ts";

/** What an implementation has to offer to be tried. */
export type { QueueBench } from "./queue-bench.ts";

const ids = (claims: readonly DeliveryClaim[]): readonly string[] => claims.map(({ delivery }) => delivery.id);

/** What holds of every implementation of the queue; each case opens one that is empty. */
export function queueCases(open: () => Promise<QueueBench>): void {
  it("gives what is due as it was put in, the longest due first, up to the number wanted", async () => {
    const { add, due } = await withEndpoint(open);
    const [second, first] = [await add(now), await add(now - 1)];
    await add(now + 1);
    const [one, ...none] = await due({ most: 1 });
    expect([one?.delivery, one?.clock, one?.forced, none]).toEqual([first, { mode: "real" }, null, []]);
    expect(ids(await due())).toEqual([second.id]);
  });

  it("keeps the members of an event's data in order", async () => {
    const { put, endpoint, due } = await withEndpoint(open);
    const data = { z: 1, a: { y: [1.5, null, "\u0000\u{1F600}"], b: true } };
    await put(madeUpDelivery(endpoint, { data }));
    const [claim] = await due();
    expect(JSON.stringify(claim?.delivery.event.data)).toBe(JSON.stringify(data));
  });

  it("counts leased deliveries into the bound of an endpoint, and holds up no other", async () => {
    const { add, due, settle, organizationId } = await withEndpoint(open);
    for (let count = 0; count < 5; count++) await add(now);
    const first = await due({ mostPerPartition: 2 });
    expect(first).toHaveLength(2);
    const other = await add(now, madeUpEndpoint({ organizationId }));
    expect(ids(await due({ mostPerPartition: 2 }))).toEqual([other.id]);
    expect(await due({ mostPerPartition: 2 })).toEqual([]);
    await settle(claimed(first[0]), recordOf(first[0], "success"), null);
    expect(await due({ mostPerPartition: 2 })).toHaveLength(1);
  });

  it("gives a delivery to somebody else only when the lease has run out", async () => {
    const { add, due } = await withEndpoint(open);
    const { id } = await add(now);
    const { leaseUntil } = newLease();
    expect(ids(await due())).toEqual([id]);
    expect(await due({ now: leaseUntil - 1 })).toEqual([]);
    expect(ids(await due({ now: leaseUntil, leaseUntil: leaseUntil + 1 }))).toEqual([id]);
  });

  it("gives nothing of endpoints that are switched off or deleted, also when they were active before", async () => {
    const { add, due, change, endpoint } = await withEndpoint(open);
    const { id } = await add(now);
    await change({ ...endpoint, active: false });
    expect(await due()).toEqual([]);
    await change({ ...endpoint, secret: "bmV3" });
    const [claim] = await due();
    expect([claim?.delivery.id, claim?.delivery.endpoint.secret]).toEqual([id, "bmV3"]);
    await add(now);
    await change({ ...endpoint, deletedAt: now });
    expect(await due()).toEqual([]);
  });

  it("writes the record and the next due time together, and never gives a settled delivery again", async () => {
    const { add, due, attempts, settle } = await withEndpoint(open);
    await add(now);
    const [first] = await due();
    const retry = recordOf(first, "retry");
    expect(await settle(claimed(first), retry, now + 5)).toBe(true);
    expect(await due()).toEqual([]);
    const [second] = await due({ now: now + 5 });
    expect(second?.delivery).toMatchObject({ attempts: 1, dueAt: now + 5 });
    const success = recordOf(second, "success");
    expect(await settle(claimed(second), success, null)).toBe(true);
    expect(await due({ now: now + 1_000_000 })).toEqual([]);
    expect(await attempts()).toEqual([retry, success]);
  });

  it("refuses to settle, and writes nothing, when the lease went to somebody else", async () => {
    const { add, due, attempts, settle } = await withEndpoint(open);
    await add(now);
    const [lost] = await due();
    const [taken] = await due({ now: now + 1_000, leaseUntil: now + 2_000 });
    expect(await settle(claimed(lost), recordOf(lost, "success"), null)).toBe(false);
    expect(await attempts()).toEqual([]);
    // Its lease has run out too, but nobody has taken it.
    expect(await settle(claimed(taken), recordOf(taken, "success"), null)).toBe(true);
    expect(await settle(claimed(taken), recordOf(taken, "success"), null)).toBe(false);
    expect(await attempts()).toHaveLength(1);
  });

  it("gives each forced answer to one delivery of its endpoint, which keeps it until it is settled", async () => {
    const { add, due, force, endpoint, organizationId, settle } = await withEndpoint(open);
    const other = madeUpEndpoint({ organizationId });
    await add(now - 2, other);
    const { id } = await add(now - 1);
    await add(now);
    await force(endpoint, [{ status: 500, body: "no" }, { failure: "gone fishing" }]);
    const forced = (await due({ most: 6 })).map((claim) => claim.forced);
    expect(forced).toEqual([null, { status: 500, body: "no" }, { failure: "gone fishing" }]);
    const [, again] = await due({ now: now + 1_000, leaseUntil: now + 2_000, most: 4 });
    expect([again?.delivery.id, again?.forced]).toEqual([id, { status: 500, body: "no" }]);
    await settle(claimed(again), recordOf(again, "retry"), now);
    const [later] = await due({ most: 1 });
    expect([later?.delivery.id, later?.forced]).toEqual([id, null]);
  });

  it("gives places in turn of one organization and the next, and leaves some to whoever comes later", async () => {
    const bench = await withEndpoint(open);
    const others = [await bench.organization({ mode: "real" }), await bench.organization({ mode: "real" })];
    for (let count = 0; count < 9; count++) await bench.add(now - 100);
    const endpoints = others.map((organizationId) => madeUpEndpoint({ organizationId }));
    for (const endpoint of endpoints) await bench.add(now, endpoint);
    const first = await bench.due({ most: 6 });
    const organizations = first.map(({ organizationId }) => organizationId);
    expect(organizations.toSorted()).toEqual([bench.organizationId, bench.organizationId, ...others].toSorted());
    const taken = new Map([[bench.organizationId, 2]]);
    expect(await bench.due({ most: 2, taken })).toEqual([]);
    expect(await bench.due({ most: 3, taken })).toHaveLength(1);
  });

  it("says whether more is due than had a place, and when what waited for room is", async () => {
    const { queue, add } = await withEndpoint(open);
    for (let count = 0; count < 3; count++) await add(now);
    const claim = (most: number) => queue.claimDue({ ...newLease(), most, mostPerPartition: 2, taken: new Map() });
    const one = await claim(1);
    expect([one.claims.length, one.moreDue]).toEqual([1, true]);
    const other = await claim(10);
    expect([other.claims.length, other.moreDue]).toEqual([1, false]);
    const settlements = deliveriesOf([...one.claims, ...other.claims]).map((each) => ({
      ...{ claim: each, attempt: recordOf(each, "success"), nextDueAt: null },
    }));
    expect(await queue.settle(settlements)).toEqual({ written: [true, true], lookAt: now });
    const [last] = deliveriesOf((await claim(10)).claims);
    const settlement = { claim: claimed(last), attempt: recordOf(last, "retry"), nextDueAt: now + 5 };
    expect(await queue.settle([settlement])).toEqual({ written: [true], lookAt: now + 5 });
    expect(await queue.settle([settlement])).toEqual({ written: [false], lookAt: null });
  });

  it("keeps manual clocks apart from real ones", async () => {
    const manual = await withEndpoint(open, { mode: "manual", at: start });
    await manual.add(start);
    expect(await manual.due()).toEqual([]);
    expect(await manual.next(start)).toMatchObject({
      kind: "claimed",
      claims: [{ clock: { mode: "manual", at: start } }],
    });
  });

  it("moves a manual clock from one due instant to the next, and not past one that is not settled", async () => {
    const { add, next, clock, organizationId, settle } = await withEndpoint(open, { mode: "manual", at: start });
    await add(start + 10);
    await add(start + 10);
    await add(start + 20);
    const wanted = start + 30;
    const first = claimsOf(await next(wanted));
    expect(first).toHaveLength(2);
    expect(await clock(organizationId)).toEqual({ mode: "manual", at: start + 10 });
    expect(await next(wanted)).toEqual({ kind: "held" });
    for (const claim of first) await settle(claim, recordOf(claim, "success"), null);
    const [last] = claimsOf(await next(wanted));
    expect(last?.clock).toEqual({ mode: "manual", at: start + 20 });
    await settle(claimed(last), recordOf(last, "success"), null);
    expect(await next(wanted)).toEqual({ kind: "none" });
    expect(await clock(organizationId)).toEqual({ mode: "manual", at: wanted });
  });

  it("never puts a manual clock back, and gives what is overdue at the later time", async () => {
    const { add, next, clock, organizationId } = await withEndpoint(open, { mode: "manual", at: start });
    await add(start - 10);
    expect(await next(start)).toMatchObject({ kind: "claimed", claims: [{ clock: { at: start } }] });
    expect(await next(start - 20)).toEqual({ kind: "none" });
    expect(await clock(organizationId)).toEqual({ mode: "manual", at: start });
  });

  it("gives a part of an instant when more is due than wanted, and what a lost lease held", async () => {
    const { add, next } = await withEndpoint(open, { mode: "manual", at: start });
    await add(start);
    await add(start);
    expect(claimsOf(await next(start, { most: 1 }))).toHaveLength(1);
    expect(claimsOf(await next(start))).toHaveLength(1);
    expect(await next(start)).toEqual({ kind: "held" });
    expect(claimsOf(await next(start, { now: now + 1_000, leaseUntil: now + 2_000 }))).toHaveLength(2);
  });
}

const claimsOf = (next: Awaited<ReturnType<DueWorkQueue["claimNext"]>>): readonly DeliveryClaim[] =>
  next.kind === "claimed" ? deliveriesOf(next.claims) : [];
