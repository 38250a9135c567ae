import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { numbersOf, type PhoneNumber, rentEntry } from "../../domain/phone-numbers/phone-number.ts";
import type { Store } from "../store.ts";
import { storeBench } from "./store-bench.ts";

const rent = 1_000_000;

/** What holds of phone numbers in every store. */
export function phoneNumberCases(current: () => Store): void {
  function begin() {
    const { store, organization } = storeBench(current());

    /** Whether an order of these numbers was met, as a route does it. */
    const order = (organizationId: string, wanted: readonly string[]): Promise<boolean> => {
      const it = { id: randomUUID(), organizationId, rent, at: 5 };
      const ids = wanted.map(() => randomUUID());
      return store.atomically(organizationId, async (tx) => {
        if ((await tx.phoneNumbers.held(wanted)).size > 0) return false;
        await tx.phoneNumbers.insert(numbersOf(it, wanted, ids));
        await tx.ledger.append(rentEntry(it, wanted.length));
        return true;
      });
    };

    const member = async (dollars = 10) => {
      const { id } = await organization();
      const entry = { kind: "credit", amount: dollars * rent, reference: "opening", at: 0 } as const;
      await store.atomically(id, (tx) => tx.ledger.append(entry));
      return id;
    };

    const numbers = async (id: string): Promise<readonly PhoneNumber[]> =>
      (await store.resources(id))?.phoneNumbers ?? [];

    return { store, member, order, numbers };
  }

  it("are found by their organization alone, as they are", async () => {
    const { store, member, order, numbers } = begin();
    const [ours, others] = [await member(), await member()];
    expect(await order(ours, ["+12025550101", "+12025550102"])).toBe(true);
    const [one] = await numbers(ours);
    if (one === undefined) throw new Error("There is no number.");
    expect(await store.phoneNumber(ours, one.id)).toEqual(one);
    expect(await store.phoneNumber(others, one.id)).toBeNull();
    const changed = { ...one, label: "a\u0000ü", inboundUrl: "https://a.example/ü", status: "pending" as const };
    await store.atomically(others, (tx) => tx.phoneNumbers.update({ ...changed, organizationId: others }));
    expect(await store.phoneNumber(ours, one.id)).toEqual(one);
    await store.atomically(ours, (tx) => tx.phoneNumbers.update(changed));
    expect(await store.phoneNumber(ours, one.id)).toEqual(changed);
  });

  it("are held by one organization each, whoever asks, until they are let go by it", async () => {
    const { store, member, order, numbers } = begin();
    const [ours, others] = [await member(), await member()];
    await order(ours, ["+12025550101"]);
    expect(await store.heldNumbers(["+12025550101", "+12025550102"])).toEqual(new Set(["+12025550101"]));
    expect(await order(others, ["+12025550102", "+12025550101"])).toBe(false);
    const [one] = await numbers(ours);
    await store.atomically(others, (tx) => tx.phoneNumbers.remove(one?.id ?? ""));
    expect(await order(others, ["+12025550101"])).toBe(false);
    await store.atomically(ours, (tx) => tx.phoneNumbers.remove(one?.id ?? ""));
    expect(await order(others, ["+12025550101"])).toBe(true);
  });

  it("go with their organization", async () => {
    const { store, member, order } = begin();
    const [ours, others] = [await member(), await member()];
    await order(ours, ["+12025550101"]);
    await store.deleteOrganization(ours);
    expect(await order(others, ["+12025550101"])).toBe(true);
  });

  it("are given to one of those who order them at once, and nobody else pays", async () => {
    const { store, member, order, numbers } = begin();
    const members = await Promise.all(Array.from({ length: 6 }, () => member()));
    // Each shares a number with the next, in the other order.
    const wishes = members.map((_, index) => {
      const two = [`+1202555011${index}`, `+1202555011${(index + 1) % members.length}`];
      return index % 2 === 0 ? two : two.toReversed();
    });
    const met = await Promise.all(members.map((id, index) => order(id, wishes[index] ?? [])));
    expect(met).toContain(true);
    const held = (await Promise.all(members.map(numbers))).map((list) => list.map(({ phoneNumber }) => phoneNumber));
    for (const [index, id] of members.entries()) {
      expect(held[index]?.toSorted()).toEqual(met[index] === true ? wishes[index]?.toSorted() : []);
      expect((await store.wallet(id)).spend).toBe(met[index] === true ? 2 * rent : 0);
    }
    const all = held.flat();
    expect(new Set(all).size).toBe(all.length);
  });

  it("are found for each of many who want any of them at once, as long as there are some", async () => {
    const { store, member, numbers } = begin();
    const stock = Array.from({ length: 12 }, (_, index) => `+12025550${120 + index}`);
    const members = await Promise.all(stock.map(() => member()));
    const orderAny = (organizationId: string) => {
      const it = { id: randomUUID(), organizationId, rent, at: 5 };
      return store.atomically(organizationId, async (tx) => {
        const held = await tx.phoneNumbers.held(stock);
        await tx.phoneNumbers.insert(numbersOf(it, stock.filter((one) => !held.has(one)).slice(0, 1), [it.id]));
      });
    };
    await Promise.all(members.map(orderAny));
    const found = (await Promise.all(members.map(numbers))).flat().map(({ phoneNumber }) => phoneNumber);
    expect(found.toSorted()).toEqual(stock);
  });

  it("come to one campaign of those that are attached at once, and are not back once they are let go", async () => {
    const { store, member, order, numbers } = begin();
    const ours = await member();
    await order(ours, ["+12025550101"]);
    const [number] = await numbers(ours);
    if (number === undefined) throw new Error("There is no number.");
    const attach = (campaignId: string) =>
      store.atomically(ours, async ({ phoneNumbers }) => {
        const found = await phoneNumbers.find(number.id);
        if (found === null || found.campaignId !== null) return false;
        await phoneNumbers.update({ ...found, campaignId });
        return true;
      });
    const campaigns = Array.from({ length: 6 }, () => randomUUID());
    const met = await Promise.all(campaigns.map(attach));
    expect(met.filter(Boolean)).toHaveLength(1);
    expect((await store.phoneNumber(ours, number.id))?.campaignId).toBe(campaigns[met.indexOf(true)]);
    const release = () => store.atomically(ours, ({ phoneNumbers }) => phoneNumbers.remove(number.id));
    const detach = () =>
      store.atomically(ours, ({ phoneNumbers }) => phoneNumbers.update({ ...number, campaignId: null }));
    await Promise.all([detach(), release(), ...campaigns.map(attach), detach()]);
    expect(await store.phoneNumber(ours, number.id)).toBeNull();
    expect(await numbers(ours)).toEqual([]);
  });

  it("are tried again by a unit that others have overtaken", async () => {
    const { store, member, numbers } = begin();
    const [ours, others] = [await member(), await member()];
    const numberOf = (organizationId: string) =>
      numbersOf({ id: "order", organizationId, rent, at: 5 }, ["+12025550101"], [randomUUID()]);
    await store.atomically(others, (tx) => tx.phoneNumbers.insert(numberOf(others)));
    let tries = 0;
    const met = await store.atomically(ours, async (tx) => {
      tries += 1;
      // The first time as if nobody held it yet.
      if (tries > 1 && (await tx.phoneNumbers.held(["+12025550101"])).size > 0) return false;
      await tx.ledger.append(rentEntry({ id: "order", organizationId: ours, rent, at: 5 }, 1));
      await tx.phoneNumbers.insert(numberOf(ours));
      return true;
    });
    expect({ met, tries, spend: (await store.wallet(ours)).spend }).toEqual({ met: false, tries: 2, spend: 0 });
    expect(await numbers(ours)).toEqual([]);
  });

  it("are those that are set for one organization, until others are set", async () => {
    const { store, member } = begin();
    const [ours, others] = [await member(), await member()];
    expect(await store.numberStock(ours)).toBeNull();
    for (const stock of [["+12025550101"], [], ["+12025550102", "+12025550103"]]) {
      await store.atomically(ours, (tx) => tx.phoneNumbers.putStock(stock));
      expect(await store.numberStock(ours)).toEqual(stock);
      expect(await store.atomically(ours, (tx) => tx.phoneNumbers.stock())).toEqual(stock);
    }
    expect(await store.numberStock(others)).toBeNull();
  });
}
