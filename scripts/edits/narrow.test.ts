import { describe, expect, it } from "vitest";
import { narrow } from "./narrow.ts";

const items = Array.from({ length: 30 }, (_, index) => index);

describe("the smallest part that still fails", () => {
  it.each([[[7]], [[0, 29]], [[3, 4, 17]], [items]])("is found: %j", async (culprits) => {
    const fails = async (part: readonly number[]): Promise<boolean> => culprits.every((one) => part.includes(one));
    expect(await narrow(items, fails)).toEqual(culprits);
  });

  it("is one of several, where several fail", async () => {
    const fails = async (part: readonly number[]): Promise<boolean> =>
      (part.includes(2) && part.includes(20)) || (part.includes(9) && part.includes(10));
    expect([
      [2, 20],
      [9, 10],
    ]).toContainEqual(await narrow(items, fails));
  });

  it("costs few trials where little matters", async () => {
    let trials = 0;
    await narrow(items, async (part) => {
      trials += 1;
      return part.includes(11);
    });
    expect(trials).toBeLessThan(20);
  });
});
