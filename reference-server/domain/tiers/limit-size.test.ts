import { expect, it } from "vitest";
import { buckets } from "../../../generated/limits.ts";
import { newCustomer } from "../organizations/organization.ts";
import { followsSpend, limitSize } from "./limit-size.ts";

const customer = newCustomer({ newId: () => "org" });
const nothing = { spend: 0 };

it("a limit of one size is the contract's, whatever was spent", () => {
  expect(limitSize("apiKeyWrites", customer, { spend: 1e12 })).toMatchObject(sizeOf(buckets.apiKeyWrites));
  expect(followsSpend("apiKeyWrites", customer)).toBe(false);
});

it.each([
  ["messageSendsPerSecond", buckets.messageSendsPerSecond],
  ["messageSendsPerMinute", buckets.messageSendsPerMinute],
] as const)(
  "%s has the size of the highest tier that was reached, to the last millionth of a dollar",
  (name, bucket) => {
    expect(followsSpend(name, customer)).toBe(true);
    for (const [index, { fromCents, capacity }] of bucket.tiers.entries()) {
      const { periodSeconds } = bucket;
      expect(limitSize(name, customer, { spend: fromCents * 10_000 })).toEqual({ capacity, periodSeconds });
      const below = bucket.tiers[index - 1];
      if (below !== undefined)
        expect(limitSize(name, customer, { spend: fromCents * 10_000 - 1 }).capacity).toBe(below.capacity);
    }
  },
);

it("an organization's own size comes before the contract's, of each bucket by itself", () => {
  const own = { capacity: 3, periodSeconds: 60 };
  const other = { ...customer, limits: { messageSendsPerMinute: own } };
  expect(limitSize("messageSendsPerMinute", other, nothing)).toEqual(own);
  expect(followsSpend("messageSendsPerMinute", other)).toBe(false);
  expect(followsSpend("messageSendsPerSecond", other)).toBe(true);
});

it("a limit that the contract does not have is a mistake", () => {
  expect(() => limitSize("toString", customer, nothing)).toThrow("no limit toString");
});

const sizeOf = ({ capacity, periodSeconds }: { capacity: number; periodSeconds: number }) => ({
  capacity,
  periodSeconds,
});
