import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { constants } from "../../../generated/constants.ts";
import type { Store } from "../store.ts";
import { storeBench } from "./store-bench.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const start = Date.UTC(2030, 0, 1);

/** What holds of metrics in every store. */
export function metricCases(current: () => Store): void {
  function begin() {
    const { store, organization } = storeBench(current());
    return {
      ...{ store, organization },
      lookUp: (organizationId: string, lookedUpAt: number): Promise<void> =>
        store.atomically(organizationId, (tx) =>
          tx.lookups.insert({
            ...{ id: randomUUID(), organizationId, phoneNumber: "+12025550123" },
            ...{ lineType: constants.mobileLine, lookedUpAt },
          }),
        ),
    };
  }

  it("sum up what was done in each window, whatever its ends, and nothing of another organization", async () => {
    const { store, organization, lookUp } = begin();
    const [ours, other] = [await organization(), await organization()];
    expect(await store.hasMetric(ours.id, "lookups")).toBe(false);
    const times = [0, minute, 14 * minute, 15 * minute, hour, day - 1, day, 3 * day + 61 * minute].map(
      (at) => start + at,
    );
    for (const at of times) await lookUp(ours.id, at);
    await lookUp(other.id, start);
    expect(await store.hasMetric(ours.id, "lookups")).toBe(true);
    const windows = [
      { from: start, before: start + minute },
      { from: start + minute, before: start + 16 * minute },
      { from: start + 14 * minute, before: start + day + minute },
      { from: start - 5 * hour, before: start + 4 * day + 17 * minute },
      { from: start + 2 * day, before: start + 3 * day },
      { from: start - 400 * day, before: start + 400 * day },
    ];
    const counted = windows.map(({ from, before }) => times.filter((at) => at >= from && at < before).length);
    expect(await store.metricSums(ours.id, "lookups", windows)).toEqual(counted);
    expect(await store.metricSums(other.id, "lookups", windows)).toEqual([1, 0, 0, 1, 0, 1]);
    expect(await store.metricSums(ours.id, "lookups", [])).toEqual([]);
  });

  it("go with their organization", async () => {
    const { store, organization, lookUp } = begin();
    const { id } = await organization();
    await lookUp(id, start);
    await store.deleteOrganization(id);
    expect(await store.hasMetric(id, "lookups")).toBe(false);
  });

  it("forget nothing of a unit of work that is done, and keep nothing of one that is not", async () => {
    const { store, organization } = begin();
    const { id: organizationId } = await organization();
    const failing = store.atomically(organizationId, async (tx) => {
      const line = { phoneNumber: "+12025550123", lineType: constants.mobileLine };
      await tx.lookups.insert({ id: randomUUID(), organizationId, ...line, lookedUpAt: start });
      throw new Error("on purpose");
    });
    await expect(failing).rejects.toThrow("on purpose");
    expect(await store.hasMetric(organizationId, "lookups")).toBe(false);
  });
}
