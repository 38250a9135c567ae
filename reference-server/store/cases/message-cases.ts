import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { isUnclaimed, type Message, newMessage } from "../../domain/messages/message.ts";
import type { SendClaim } from "../../domain/work/due-work.ts";
import type { Store } from "../store.ts";
import { storeBench } from "./store-bench.ts";

/** The real present. */
const now = Date.UTC(2030, 0, 1);

const send = { to: "+12025550130", body: "a\u0000ü", scheduledAt: null, bypassesQuietHours: false, cost: 10_000 };

/** How often cancellations meet a claim, and how many of them each time. */
const rounds = 60;
const perRound = 40;

/** What holds of messages in every store. */
export function messageCases(current: () => Store): void {
  function begin() {
    const { store, organization } = storeBench(current());
    return {
      ...{ store, organization },
      async insert(organizationId: string, scheduledAt: number | null = null, to = send.to): Promise<Message> {
        const message = newMessage({ ...send, to, scheduledAt }, { id: randomUUID(), organizationId, now });
        await store.atomically(organizationId, (tx) => tx.messages.insert(message));
        return message;
      },
      /** As a client cancels. */
      cancel: (organizationId: string, id: string): Promise<boolean> =>
        store.atomically(organizationId, async (tx) => {
          const message = await tx.messages.find(id);
          if (message === null || !isUnclaimed(message)) return false;
          if (!(await tx.messages.withdraw(id, "unclaimed"))) return false;
          await tx.messages.update({ id, status: "canceled" });
          return true;
        }),
      async claim(at = now): Promise<readonly SendClaim[]> {
        const lease = { lease: randomUUID(), now: at, leaseUntil: at + 1_000 };
        const { claims } = await store.dueWork.claimDue({
          ...{ ...lease, most: 1_000, mostPerPartition: 500 },
          taken: new Map(),
        });
        return claims.filter((claim) => claim.kind === "send");
      },
    };
  }

  it("are found by their organization alone, as they were put in", async () => {
    const { store, organization, insert } = begin();
    const [ours, other] = [await organization(), await organization()];
    const message = await insert(ours.id);
    expect(await store.message(ours.id, message.id)).toEqual(message);
    expect(await store.message(other.id, message.id)).toBeNull();
    expect(await store.message(ours.id, randomUUID())).toBeNull();
  });

  it("are claimed when they are due, each once, and are sending from then on", async () => {
    const { store, organization, insert, claim } = begin();
    const ours = await organization();
    const [soon, late] = [await insert(ours.id), await insert(ours.id, now + 10)];
    const sending = { ...soon, status: "sending" };
    expect((await claim()).map(({ message }) => message)).toEqual([sending]);
    expect(await claim()).toEqual([]);
    expect(await store.message(ours.id, soon.id)).toEqual(sending);
    expect(await store.message(ours.id, late.id)).toEqual(late);
    expect((await claim(now + 10)).map(({ message }) => message.id)).toEqual([late.id]);
  });

  it("go on to whatever their settlement says, and are claimed again for their next step", async () => {
    const { store, organization, insert, claim } = begin();
    const ours = await organization();
    const { id } = await insert(ours.id);
    const [first] = await claim();
    if (first === undefined) throw new Error("Nothing was claimed.");
    await store.dueWork.settle([{ claim: first, status: "sent", nextDueAt: now + 5 }]);
    expect((await store.message(ours.id, id))?.status).toBe("sent");
    expect(await claim(now + 4)).toEqual([]);
    const [second] = await claim(now + 5);
    expect(second?.message.status).toBe("sent");
    if (second === undefined) throw new Error("Nothing was claimed again.");
    await store.dueWork.settle([{ claim: second, status: "delivered", nextDueAt: null }]);
    expect((await store.message(ours.id, id))?.status).toBe("delivered");
    expect(await claim(now + 100_000)).toEqual([]);
  });

  it("are claimed or canceled and never both, whichever comes first", async () => {
    const { store, organization, insert, cancel, claim } = begin();
    const ours = await organization();
    const claimed = new Set<string>();
    const canceled = new Set<string>();
    const ids: string[] = [];
    const claiming = async () => {
      for (const { message } of await claim()) claimed.add(message.id);
    };
    for (let round = 0; round < rounds; round++) {
      const inserted = await Promise.all(Array.from({ length: perRound }, () => insert(ours.id)));
      const cancellations = inserted.map(({ id }) => async () => {
        if (await cancel(ours.id, id)) canceled.add(id);
      });
      // The claim comes before all of them, or behind some.
      const calls = cancellations.toSpliced(round % perRound, 0, claiming);
      await Promise.all(calls.map((call) => call()));
      ids.push(...inserted.map(({ id }) => id));
    }
    // What others had their hands on is claimed now.
    await claiming();
    expect(ids.filter((id) => claimed.has(id) === canceled.has(id))).toEqual([]);
    const statuses = await Promise.all(ids.map(async (id) => (await store.message(ours.id, id))?.status));
    expect(statuses).toEqual(ids.map((id) => (claimed.has(id) ? "sending" : "canceled")));
  });

  it("to one number are canceled together, but for what is claimed, to others and of others", async () => {
    const { store, organization, insert, claim } = begin();
    const [ours, other] = [await organization(), await organization()];
    const claimed = await insert(ours.id);
    await claim();
    const waiting = [await insert(ours.id), await insert(ours.id, now + 10)];
    const kept = [await insert(ours.id, now + 10, "+12025550131"), await insert(other.id, now + 10)];
    const cancelTo = (id: string) => store.atomically(id, (tx) => tx.messages.cancelTo(send.to));
    const canceled = waiting.map((message) => ({ ...message, status: "canceled" }));
    const byId = (messages: readonly object[]) => new Map(messages.map((message) => [Object(message).id, message]));
    expect(byId(await cancelTo(ours.id))).toEqual(byId(canceled));
    expect(await cancelTo(ours.id)).toEqual([]);
    for (const message of canceled) expect(await store.message(ours.id, message.id)).toEqual(message);
    expect((await store.message(ours.id, claimed.id))?.status).toBe("sending");
    const due = await claim(now + 10);
    expect(new Set(due.map(({ message }) => message.id))).toEqual(new Set(kept.map(({ id }) => id)));
  });

  it("to one number are claimed or canceled together, each one of both, whichever comes first", async () => {
    const { store, organization, insert, claim } = begin();
    const ours = await organization();
    for (let round = 0; round < rounds; round++) {
      const ids = [await insert(ours.id), await insert(ours.id), await insert(ours.id)].map(({ id }) => id);
      const canceling = async () =>
        (await store.atomically(ours.id, (tx) => tx.messages.cancelTo(send.to))).map(({ id }) => id);
      const claiming = async () => (await claim()).map(({ message }) => message.id);
      const both = round % 2 === 0 ? [canceling(), claiming()] : [claiming(), canceling()];
      const taken = (await Promise.all(both)).flat();
      // What others had their hands on is claimed now.
      expect([...taken, ...(await claiming())].toSorted()).toEqual(ids.toSorted());
    }
  });

  it("are withdrawn by their organization alone", async () => {
    const { store, organization, insert, claim } = begin();
    const [ours, other] = [await organization(), await organization()];
    const { id } = await insert(ours.id);
    for (const from of ["unclaimed", "anybody"] as const)
      expect(await store.atomically(other.id, (tx) => tx.messages.withdraw(id, from))).toBe(false);
    expect((await claim()).map(({ message }) => message.id)).toEqual([id]);
  });

  it("are claimed again when whoever has claimed them is gone, and settled by the latest alone", async () => {
    const { store, organization, insert, cancel, claim } = begin();
    const ours = await organization();
    const { id } = await insert(ours.id);
    const [gone] = await claim();
    expect(await claim(now + 999)).toEqual([]);
    const [latest] = await claim(now + 1_000);
    if (gone === undefined || latest === undefined) throw new Error("Nothing was claimed.");
    expect(latest.message).toEqual(gone.message);
    expect(await cancel(ours.id, id)).toBe(false);
    const settle = async (by: SendClaim, status: "sent" | "failed") =>
      (await store.dueWork.settle([{ claim: by, status, nextDueAt: null }])).written;
    expect(await settle(gone, "failed")).toEqual([false]);
    expect(await settle(latest, "sent")).toEqual([true]);
    expect((await store.message(ours.id, id))?.status).toBe("sent");
  });

  it("are listed newest first, those of one instant too, with how many there are", async () => {
    const { store, organization, insert } = begin();
    const [ours, other] = [await organization(), await organization()];
    const own = [await insert(ours.id), await insert(ours.id), await insert(ours.id)];
    await insert(other.id);
    const newest = own.toSorted((one, two) => (one.id < two.id ? 1 : -1));
    expect(await store.messages(ours.id, { before: null, limit: 2 })).toEqual({
      messages: newest.slice(0, 2),
      total: 3,
    });
    const before = newest[1] ?? null;
    expect(await store.messages(ours.id, { before, limit: 5 })).toEqual({ messages: newest.slice(2), total: 3 });
    const none = await organization();
    expect(await store.messages(none.id, { before: null, limit: 5 })).toEqual({ messages: [], total: 0 });
  });

  it("go with their organization, and their work too", async () => {
    const { store, organization, insert, claim } = begin();
    const ours = await organization();
    await insert(ours.id);
    await store.deleteOrganization(ours.id);
    expect(await claim()).toEqual([]);
  });
}
