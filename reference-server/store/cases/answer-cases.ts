import { expect, it } from "vitest";
import { retryOf } from "../../domain/idempotency/kept-answer.ts";
import type { Store } from "../store.ts";
import { storeBench } from "./store-bench.ts";

/** What holds of answers for retries in every store. */
export function answerCases(current: () => Store): void {
  function begin() {
    const { store, organization } = storeBench(current());
    const retry = (key: string, operation = "operation") => retryOf(operation, key, {});
    return {
      ...{ store, organization, retry },
      keep: (id: string, keys: readonly string[], keptUntil: number, now = 0) =>
        store.atomically(id, async (tx) => {
          for (const key of keys) await tx.answers.keep({ ...retry(key), answer: "{}", keptUntil }, now);
        }),
      /** Those of the keys that there still is an answer for, expired or not. */
      async left(id: string, keys: readonly string[]) {
        const found = await Promise.all(keys.map((key) => store.keptAnswer(id, retry(key), 0)));
        return found.flatMap((kept) => (kept === null ? [] : [kept.key]));
      },
    };
  }

  it("are found until they expire", async () => {
    const { store, organization, retry, keep } = begin();
    const [ours, other] = [await organization(), await organization()];
    await keep(ours.id, ["a"], 10);
    expect(await store.keptAnswer(ours.id, retry("a"), 9)).toEqual({ ...retry("a"), answer: "{}", keptUntil: 10 });
    expect(await store.keptAnswer(ours.id, retry("a"), 10)).toBeNull();
    expect(await store.keptAnswer(ours.id, retry("a", "other"), 9)).toBeNull();
    expect(await store.keptAnswer(other.id, retry("a"), 9)).toBeNull();
  });

  it("are pruned when they have expired, those of manual clocks by themselves", async () => {
    const { store, organization, keep, left } = begin();
    const [ours, manual] = [await organization(), await organization({ clock: { mode: "manual", at: 5 } })];
    for (const { id } of [ours, manual]) {
      await keep(id, ["a", "b"], 10);
      await keep(id, ["c"], 11);
    }
    const retention = { eventsBefore: 0, attemptsBefore: 0, answersUntil: 10, consentRequestsBefore: 0 };
    expect(await store.retention.prune({ ...retention, answersUntil: 9 }, 1000)).toBe(0);
    expect(await store.retention.prune(retention, 1000)).toBe(2);
    expect(await store.retention.prune(retention, 1000)).toBe(0);
    expect(await left(ours.id, ["a", "b", "c"])).toEqual(["c"]);
    expect(await left(manual.id, ["a", "b", "c"])).toEqual(["a", "b", "c"]);
    await store.retention.pruneOrganization(manual.id, retention);
    expect(await left(manual.id, ["a", "b", "c"])).toEqual(["c"]);
  });

  it("make room for further ones of their organization, the oldest first and not all at once", async () => {
    const { organization, keep, left } = begin();
    const [ours, other] = [await organization(), await organization()];
    const keys = Array.from({ length: 100 }, (_, index) => `old ${index}`);
    await keep(ours.id, ["late"], 2);
    await keep(ours.id, keys, 1);
    await keep(other.id, keys, 1);
    await keep(ours.id, ["next"], 10, 2);
    expect(await left(ours.id, [...keys, "late", "next"])).toEqual(["late", "next"]);
    await keep(ours.id, ["next"], 11, 2);
    expect(await left(ours.id, ["late", "next"])).toEqual(["next"]);
    expect(await left(other.id, keys)).toEqual(keys);
  });
}
