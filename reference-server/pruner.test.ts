import { expect, it } from "vitest";
import { referenceChoices } from "../generated/choices.ts";
import { createLog } from "./log.ts";
import { createPruner } from "./pruner.ts";
import { openTestStore } from "./store/open-test-store.ts";
import type { Retention } from "./store/retention/retention-store.ts";

const day = 86_400_000;
const now = 100 * day;

/** A pruner over a store that answers each batch as `deleted` says, and what was asked of it. */
async function pruning(deleted: (batch: number) => number, logged: string[] = []) {
  const store = await openTestStore();
  const asked: (Retention & { readonly most: number })[] = [];
  const prune: typeof store.retention.prune = async (retention, most) => {
    asked.push({ ...retention, most });
    return deleted(asked.length) * most;
  };
  const retention = { ...store.retention, prune };
  const log = createLog("error", { write: (line) => void logged.push(line) });
  const pruner = createPruner({ store: { retention }, world: { now: () => now }, choices: referenceChoices, log }, 5);
  return { asked, pruner, close: () => pruner.close().then(() => store.close()) };
}

it("deletes in batches until none is full, and again after a while", async () => {
  const { asked, pruner, close } = await pruning((batch) => (batch < 3 ? 1 : 0));
  pruner.start();
  await expect.poll(() => asked.length).toBeGreaterThan(4);
  await close();
  const [first] = asked;
  expect(first).toMatchObject({ eventsBefore: now - 30 * day, attemptsBefore: now - 90 * day, answersUntil: now });
  expect(first).toMatchObject({ consentRequestsBefore: now - 90 * day });
  expect(first?.most).toBeGreaterThan(0);
  const before = asked.length;
  await new Promise((done) => setTimeout(done, 30));
  expect(asked.length).toBe(before);
});

it("goes on after a failure, which it logs", async () => {
  const logged: string[] = [];
  const { asked, pruner, close } = await pruning(() => {
    throw new Error("the database is away");
  }, logged);
  pruner.start();
  await expect.poll(() => asked.length).toBeGreaterThan(2);
  await close();
  expect(logged.join("")).toContain("the database is away");
});

it("closes when it was never started", async () => {
  const { asked, close } = await pruning(() => 0);
  await close();
  expect(asked).toEqual([]);
});
