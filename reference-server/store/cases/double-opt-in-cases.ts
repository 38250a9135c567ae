import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { referenceChoices } from "../../../generated/choices.ts";
import { type DoubleOptIn, newDoubleOptIn } from "../../domain/consent/double-opt-in.ts";
import type { DoubleOptInClaim } from "../../domain/work/due-work.ts";
import type { Store } from "../store.ts";
import { storeBench } from "./store-bench.ts";

/** The real present. */
const now = Date.UTC(2030, 0, 1);

const phoneNumber = "+12025550130";

/** What holds of double opt-ins in every store. */
export function doubleOptInCases(current: () => Store): void {
  function begin() {
    const { store, organization } = storeBench(current());
    return {
      ...{ store, organization },
      async insert(organizationId: string, number = phoneNumber): Promise<DoubleOptIn> {
        const wish = { id: randomUUID(), organizationId, phoneNumber: number, source: "a\u0000ü", now };
        const made = newDoubleOptIn(wish, referenceChoices);
        await store.atomically(organizationId, (tx) => tx.doubleOptIns.insert(made));
        return made;
      },
      pending: (organizationId: string, number = phoneNumber) =>
        store.atomically(organizationId, (tx) => tx.doubleOptIns.pending(number)),
      end: (organizationId: string, ended: DoubleOptIn, state: "confirmed" | "expired") =>
        store.atomically(organizationId, (tx) => tx.doubleOptIns.end({ ...ended, state })),
      async claim(at = now): Promise<readonly DoubleOptInClaim[]> {
        const lease = { lease: randomUUID(), now: at, leaseUntil: at + 1_000 };
        const { claims } = await store.dueWork.claimDue({
          ...{ ...lease, most: 1_000, mostPerPartition: 500 },
          taken: new Map(),
        });
        return claims.filter((claim) => claim.kind === "double-opt-in");
      },
      settle: async (claim: DoubleOptInClaim, nextDueAt: number | null) =>
        (await store.dueWork.settle([{ claim, nextDueAt }])).written,
    };
  }

  it("are pending for their number in their organization alone, as they were put in, until they end", async () => {
    const { store, organization, insert, pending, end } = begin();
    const [ours, other] = [await organization(), await organization()];
    const made = await insert(ours.id);
    expect(await pending(ours.id)).toEqual(made);
    expect([await pending(other.id), await pending(ours.id, "+12025550131")]).toEqual([null, null]);
    await end(other.id, made, "confirmed");
    expect(await pending(ours.id)).toEqual(made);
    await end(ours.id, made, "confirmed");
    expect(await pending(ours.id)).toBeNull();
    expect((await store.resources(ours.id))?.doubleOptIns).toEqual([{ ...made, state: "confirmed" }]);
  });

  it("are pending once for each number, and again when the one before has ended", async () => {
    const { organization, insert, pending, end } = begin();
    const ours = await organization();
    const first = await insert(ours.id);
    await expect(insert(ours.id)).rejects.toThrow();
    await end(ours.id, first, "expired");
    const second = await insert(ours.id);
    expect(await pending(ours.id)).toEqual(second);
  });

  it("are claimed at once, to ask, and again when they expire", async () => {
    const { organization, insert, claim, settle } = begin();
    const ours = await organization();
    const made = await insert(ours.id);
    const [first] = await claim();
    expect(first).toMatchObject({ doubleOptIn: made, isAsked: false });
    if (first === undefined) throw new Error("Nothing was claimed.");
    expect(await settle(first, made.expiresAt)).toEqual([true]);
    expect(await claim(made.expiresAt - 1)).toEqual([]);
    const [second] = await claim(made.expiresAt);
    expect(second).toMatchObject({ doubleOptIn: made, isAsked: true });
    if (second === undefined) throw new Error("Nothing was claimed again.");
    expect(await settle(second, null)).toEqual([true]);
    expect(await claim(made.expiresAt + 100_000)).toEqual([]);
  });

  it("are not claimed any more once they have ended", async () => {
    const { organization, insert, claim, end } = begin();
    const ours = await organization();
    const made = await insert(ours.id);
    await end(ours.id, made, "confirmed");
    expect(await claim(made.expiresAt)).toEqual([]);
  });

  it("that end while they are in hand are shown so to whoever looks next", async () => {
    const { organization, insert, claim, settle, end } = begin();
    const ours = await organization();
    const made = await insert(ours.id);
    const [asking] = await claim();
    if (asking === undefined) throw new Error("Nothing was claimed.");
    await end(ours.id, made, "confirmed");
    expect(await settle(asking, made.expiresAt)).toEqual([true]);
    const [over] = await claim(made.expiresAt);
    expect(over?.doubleOptIn).toEqual({ ...made, state: "confirmed" });
  });

  it("are removed for their number in their organization, with their work, be it in hand", async () => {
    const { store, organization, insert, claim, settle, pending } = begin();
    const [ours, other] = [await organization(), await organization()];
    const [made, foreign] = [await insert(ours.id), await insert(other.id)];
    const another = await insert(ours.id, "+12025550131");
    const asking = (await claim()).find(({ doubleOptIn }) => doubleOptIn.id === made.id);
    if (asking === undefined) throw new Error("It was not claimed.");
    await store.atomically(ours.id, (tx) => tx.doubleOptIns.remove(phoneNumber));
    expect(await settle(asking, made.expiresAt)).toEqual([false]);
    expect(await pending(ours.id)).toBeNull();
    expect(await pending(other.id)).toEqual(foreign);
    const left = (await claim(made.expiresAt)).map(({ doubleOptIn }) => doubleOptIn.id);
    expect(left.toSorted()).toEqual([another.id, foreign.id].toSorted());
  });

  it("are pruned once they are over, and nothing is to be done for them, a while after they would have expired", async () => {
    const { store, organization, insert, claim, settle, end } = begin();
    const [ours, manual] = [await organization(), await organization({ clock: { mode: "manual", at: now } })];
    const numbers = ["+12025550131", "+12025550132", "+12025550133"];
    const ids = async (id: string) => (await store.resources(id))?.doubleOptIns.map(({ id }) => id).toSorted();
    const [over, inHand, pending] = await Promise.all(numbers.map((number) => insert(ours.id, number)));
    const asking = (await claim()).find(({ doubleOptIn }) => doubleOptIn.id === inHand?.id);
    if (!(over && inHand && pending && asking)) throw new Error("They were not claimed.");
    const foreign = await insert(manual.id);
    for (const one of [over, inHand]) await end(ours.id, one, "confirmed");
    await end(manual.id, foreign, "confirmed");
    // In hand by the claim above.
    await settle(asking, null);
    const retention = { eventsBefore: 0, attemptsBefore: 0, answersUntil: 0 };
    expect(await store.retention.prune({ ...retention, consentRequestsBefore: over.expiresAt }, 1000)).toBe(0);
    const all = { ...retention, consentRequestsBefore: over.expiresAt + 1 };
    expect(await store.retention.prune(all, 1000)).toBe(1);
    expect(await ids(ours.id)).toEqual([over.id, pending.id].toSorted());
    expect(await store.retention.prune(all, 1000)).toBe(0);
    expect(await ids(manual.id)).toEqual([foreign.id]);
    await store.retention.pruneOrganization(manual.id, all);
    expect(await ids(manual.id)).toEqual([]);
  });

  it("go with their organization, and their work too", async () => {
    const { store, organization, insert, claim } = begin();
    const ours = await organization();
    await insert(ours.id);
    await store.deleteOrganization(ours.id);
    expect(await claim()).toEqual([]);
  });
}
