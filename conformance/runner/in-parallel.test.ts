import { expect, test } from "vitest";
import { inParallel } from "./in-parallel.ts";

const items = ["a1", "a2", "b1", "a3", "b2", "c", "d"];
const turnOf = (item: string): string | undefined => (item.length > 1 ? item.charAt(0) : undefined);

/** Does the work for all, and gives which of them met, in pairs. */
async function meetings(jobs: number): Promise<{ readonly met: readonly string[]; readonly done: readonly string[] }> {
  const underWay = new Set<string>();
  const met: string[] = [];
  const done: string[] = [];
  const left = await inParallel(items, jobs, new AbortController().signal, turnOf, async (item) => {
    for (const other of underWay) met.push(`${other} ${item}`);
    underWay.add(item);
    for (let step = 1; step <= 5; step += 1) await Promise.resolve();
    underWay.delete(item);
    done.push(item);
  });
  expect(left).toEqual([]);
  return { met, done };
}

test.each([1, 2, 3, 9])("all is done once, by %i at a time", async (jobs) => {
  const { done } = await meetings(jobs);
  expect(done.toSorted()).toEqual(items.toSorted());
});

test("items of one turn meet each other never, and others do", async () => {
  const { met } = await meetings(9);
  const turns = met.map((pair) => pair.split(" ").map(turnOf));
  expect(turns.length).toBeGreaterThan(0);
  expect(turns.filter(([one, other]) => one !== undefined && one === other)).toEqual([]);
});

test("a signal leaves what was not begun", async () => {
  const ended = new AbortController();
  const left = await inParallel(items, 2, ended.signal, turnOf, async () => {
    await Promise.resolve();
    ended.abort();
  });
  expect(left).toEqual(["a2", "a3", "b2", "c", "d"]);
});
