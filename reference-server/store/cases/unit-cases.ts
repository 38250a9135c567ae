import { setImmediate as turn } from "node:timers/promises";
import { expect, inject, it } from "vitest";
import type { Consent } from "../../domain/consent/consent.ts";
import type { Store } from "../store.ts";
import { endpointWith, eventOf, storeBench } from "./store-bench.ts";

/** What holds of units of work in every store. */
export function unitCases(current: () => Store): void {
  async function begin() {
    const bench = storeBench(current());
    return { ...bench, ours: await bench.organization() };
  }

  it("shows the organization as it is, and null where there is none", async () => {
    const { store, ours } = await begin();
    expect(await store.atomically(ours.id, async (tx) => tx.organization)).toEqual(ours);
    expect(await store.atomically("unknown", async (tx) => tx.organization)).toBeNull();
    expect(
      await store.atomically("unknown", (tx) => tx.enqueue(eventOf({ organizationId: "unknown" }), "subscribed")),
    ).toBe(0);
  });

  it("changes nothing when its work throws, whatever it had done, and tells nobody", async () => {
    const { store, units, endpoint, ours } = await begin();
    const made = await endpoint({ organizationId: ours.id });
    const before = await store.resources(ours.id);
    let enqueued = 0;
    store.onEnqueued(() => enqueued++);
    const failed = store.atomically(ours.id, async (tx) => {
      await tx.endpoints.insert(endpointWith({ organizationId: ours.id }));
      await tx.endpoints.update({ ...made, active: false, deletedAt: 5 });
      await tx.enqueue(eventOf({ organizationId: ours.id }), "subscribed");
      throw new Error("no further");
    });
    await expect(failed).rejects.toThrow("no further");
    expect(await store.resources(ours.id)).toEqual(before);
    expect(await units.endpoint(ours.id, made.id)).toEqual(made);
    expect(enqueued).toBe(0);
  });

  it("loses no change of many units that read first and write then", async () => {
    const { store, ours } = await begin();
    const another = () =>
      store.atomically(ours.id, async (tx) => {
        await tx.setOutage("lookup", (tx.organization?.outages.lookup ?? 0) + 1);
      });
    await Promise.all(Array.from({ length: 40 }, another));
    expect((await store.organization(ours.id))?.outages.lookup).toBe(40);
  });

  it("keeps what a recipient said last, apart for each organization", async () => {
    const { store, organization, ours } = await begin();
    const theirs = await organization();
    const consent = (organizationId: string, source: string) =>
      ({ organizationId, phoneNumber: "+12025550130", state: "opted-in", source, capturedAt: 5 }) as const;
    const put = (one: Consent) => store.atomically(one.organizationId, (tx) => tx.consents.put(one));
    const known = (id: string) => store.atomically(id, (tx) => tx.consents.of("+12025550130"));
    expect(await known(ours.id)).toBeNull();
    await put(consent(ours.id, "form \0"));
    await put({ ...consent(ours.id, "a reply"), state: "opted-out", capturedAt: 7 });
    await put(consent(theirs.id, "call"));
    expect(await known(ours.id)).toEqual({ ...consent(ours.id, "a reply"), state: "opted-out", capturedAt: 7 });
    expect(await known(theirs.id)).toEqual(consent(theirs.id, "call"));
    expect((await store.resources(ours.id))?.consents).toHaveLength(1);
    await store.atomically(ours.id, (tx) => tx.consents.remove("+12025550130"));
    expect(await known(ours.id)).toBeNull();
    expect(await known(theirs.id)).toEqual(consent(theirs.id, "call"));
  });

  it("keeps what several recipients said together, whether anything was known of them or not", async () => {
    const { store, organization, ours } = await begin();
    const theirs = await organization();
    const consent = (phoneNumber: string, capturedAt: number) =>
      ({ organizationId: ours.id, phoneNumber, state: "opted-in", source: "list", capturedAt }) as const;
    const [known, other, unknown] = ["+12025550130", "+12025550131", "+12025550132"];
    await store.atomically(ours.id, (tx) => tx.consents.put(consent(known, 5)));
    const all = [consent(known, 6), consent(other, 7)];
    await store.atomically(ours.id, (tx) => tx.consents.putAll(all));
    const ofAll = (id: string) => store.atomically(id, (tx) => tx.consents.ofAll([other, unknown, known]));
    expect(await ofAll(ours.id)).toEqual(new Map(all.map((each) => [each.phoneNumber, each])));
    expect(await ofAll(theirs.id)).toEqual(new Map());
  });

  it("goes on after a unit that failed", async () => {
    const { store, ours } = await begin();
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) =>
        store.atomically(ours.id, async () => {
          if (index % 2 === 0) throw new Error("no further");
          return index;
        }),
      ),
    );
    expect(results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []))).toEqual([1, 3, 5, 7, 9]);
  });

  it("is over when its work is", async () => {
    const { store, ours } = await begin();
    const tx = await store.atomically(ours.id, async (unit) => unit);
    await expect(tx.endpoints.countActive()).rejects.toThrow(/already committed/);
  });

  it.runIf(inject("engine") === "sqlite")("fails, and is undone, when it waits for something else", async () => {
    const { store, units, ours } = await begin();
    const waiting = [() => turn(), () => store.organization(ours.id), () => store.ping()];
    for (const wait of waiting) {
      const failed = store.atomically(ours.id, async (tx) => {
        await tx.endpoints.insert(endpointWith({ organizationId: ours.id }));
        await wait();
      });
      await expect(failed).rejects.toThrow("waits for something else than the store");
    }
    expect(await units.countActive(ours.id)).toBe(0);
  });
}
