import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { choiceValues, referenceChoices } from "../../generated/choices.ts";
import { buckets } from "../../generated/limits.ts";
import { operations } from "../../generated/operations.ts";
import type { Operation } from "../../generated/runtime/operation.ts";
import type { Caller } from "../domain/organizations/caller.ts";
import { newCustomer, type Organization } from "../domain/organizations/organization.ts";
import { openSqlite } from "../store/engine/sqlite.ts";
import type { Store } from "../store/store.ts";
import { batchSize } from "./batch-size.ts";
import type { Exchange, Route } from "./exchange.ts";
import { rateLimit } from "./rate-limit.ts";

/** An operation that draws from a bucket of calls and from one of records. */
const bulk: Operation = {
  ...operations.createApiKey,
  draws: [
    { bucket: "calls", records: null, tooMany: null },
    { bucket: "records", records: "/records", tooMany: "ValidationFailed" },
  ],
};

const organization: Organization = {
  ...newCustomer({ newId: () => "org" }),
  limits: { calls: { capacity: 3, periodSeconds: 1 }, records: { capacity: 10, periodSeconds: 60 } },
};

let store: Store;
beforeEach(async () => {
  store = await openSqlite(":memory:");
  await store.insertOrganization(organization);
});
afterEach(() => store.close());

/** A call as these steps see it: they look at nothing else of an exchange. */
const withRecords = (count: number): Exchange<Caller> =>
  ({
    route: { operation: bulk } as Route<Caller>,
    caller: { kind: "session", id: "s", userId: "u", staff: false, organization },
    input: { body: { records: Array(count).fill({}) } },
    undo: [],
  }) as Partial<Exchange<Caller>> as Exchange<Caller>;

describe.each(choiceValues.bucketAlgorithm)("an operation that draws from two buckets, kept as a %s", (algorithm) => {
  const now = Date.UTC(2030, 0, 1);
  const limited = (count: number, at = now) =>
    rateLimit(store, { now: () => at }, { ...referenceChoices, bucketAlgorithm: algorithm })(withRecords(count));

  it("draws one unit for each record, and is refused for the bucket that has no room", async () => {
    expect(await limited(6)).toBeNull();
    const refusal = await limited(5);
    expect(refusal).toMatchObject({ row: "RateLimited", message: expect.stringContaining("10 in 60 s") });
    // Nothing was drawn from either bucket.
    expect(await limited(4)).toBeNull();
    expect(await limited(0)).toBeNull();
    expect(await limited(0)).toMatchObject({ row: "RateLimited", message: expect.stringContaining("3 in 1 s") });
  });

  it("asks to wait for the bucket that needs longest", async () => {
    for (const count of [9, 0, 0]) expect(await limited(count)).toBeNull();
    const refusal = await limited(2);
    const seconds = Number(refusal?.headers["Retry-After"]);
    expect(seconds).toBeGreaterThan(1);
    expect(await limited(2, now + (seconds - 1) * 1000)).toMatchObject({ row: "RateLimited" });
    expect(await limited(2, now + seconds * 1000)).toBeNull();
  });
});

describe("a batch", () => {
  const judged = (count: number) => batchSize(store)(withRecords(count));

  it("of as many records as the bucket ever holds passes", async () => {
    expect(await judged(10)).toBeNull();
  });

  it("of more is refused with the row that the contract names, by the name of the array", async () => {
    expect(await judged(11)).toMatchObject({
      row: "ValidationFailed",
      details: { records: "must have at most 10 items, as many as are admitted in 60 s" },
    });
  });
});

describe("an operation on the send ladder", () => {
  const { messageSendsPerSecond: bySecond, messageSendsPerMinute: byMinute } = buckets;
  const send: Operation = {
    ...operations.createApiKey,
    draws: ["messageSendsPerSecond", "messageSendsPerMinute"].map((bucket) => ({
      ...{ bucket, records: null, tooMany: null },
    })),
  };
  const customer = newCustomer({ newId: () => "sender" });
  const sent = async (owner: Organization, at: number): Promise<boolean> => {
    const exchange = { ...withRecords(0), route: { operation: send } as Route<Caller> };
    const caller: Caller = { kind: "session", id: "s", userId: "u", staff: false, organization: owner };
    const limited = rateLimit(store, { now: () => at }, referenceChoices)({ ...exchange, caller });
    return (await limited) === null;
  };

  it("admits as many in a second as the tier that was spent for", async () => {
    await store.insertOrganization(customer);
    const now = Date.UTC(2030, 0, 1);
    const burst = async (at: number) => {
      const all = await Promise.all(Array.from({ length: 8 }, () => sent(customer, at)));
      return all.filter(Boolean).length;
    };
    expect(await burst(now)).toBe(bySecond.tiers[0].capacity);
    await store.atomically(customer.id, async (tx) => {
      const amount = bySecond.tiers[1].fromCents * 10_000;
      await tx.ledger.append({ kind: "credit", amount, reference: "top-up", at: now });
      await tx.ledger.append({ kind: "charge", amount, reference: "much", at: now });
    });
    expect(await burst(now + 2_000)).toBe(bySecond.tiers[1].capacity);
  });

  it("is held by the minute where that is the smaller one", async () => {
    const limits = { messageSendsPerMinute: { capacity: 2, periodSeconds: byMinute.periodSeconds } };
    const small = { ...customer, id: "small", limits };
    await store.insertOrganization(small);
    const now = Date.UTC(2030, 0, 1);
    const admitted = [];
    for (const second of [0, 1, 2, 3]) admitted.push(await sent(small, now + second * 1000));
    expect(admitted).toEqual([true, true, false, false]);
    // What the minute refused took nothing of the second.
    expect(await sent(small, now + 30_000)).toBe(true);
  });
});
