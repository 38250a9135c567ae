import { describe, expect, it } from "vitest";
import { dealPlaces, withoutShare } from "./deal-places.ts";

const due = (text: string) => [...text].map((organizationId, index) => ({ organizationId, index }));
const dealt = (text: string, free: number, taken: Readonly<Record<string, number>> = {}): string =>
  dealPlaces(due(text), free, new Map(Object.entries(taken)))
    .map(({ organizationId }) => organizationId)
    .join("");

describe("places for due work", () => {
  it("go in turn to the organization that has fewest", () => {
    expect(dealt("aaaabbc", 100)).toBe("abcabaa");
    expect(dealt("aaaab", 100, { b: 3 })).toBe("aaaab");
  });

  it("go to what an organization has first", () => {
    expect(dealPlaces(due("aaa"), 3, new Map()).map(({ index }) => index)).toEqual([0, 1]);
  });

  it("are never more for one organization than it leaves free", () => {
    expect(dealt("a".repeat(1_000), 500)).toHaveLength(250);
    expect(dealt("ab".repeat(1_000), 300)).toHaveLength(200);
    expect(dealt("a".repeat(10), 250, { a: 250 })).toBe("");
    expect(dealt("a", 1)).toBe("a");
    expect(dealt("a", 0)).toBe("");
  });

  it("are left for one more organization, however many others took all that they could", () => {
    const taken: Record<string, number> = {};
    let free = 500;
    for (let count = 0; count < 100; count++) {
      const organizationId = String(count);
      const work = Array.from({ length: 500 }, () => ({ organizationId }));
      const got = dealPlaces(work, free, new Map(Object.entries(taken))).length;
      expect(got).toBeGreaterThan(0);
      free -= got;
      taken[organizationId] = got;
      if (free <= 1) break;
    }
  });

  it("are refused to organizations whose share is used up", () => {
    expect(
      withoutShare(
        3,
        new Map([
          ["a", 3],
          ["b", 2],
          ["c", 9],
        ]),
      ),
    ).toEqual(["a", "c"]);
  });
});
