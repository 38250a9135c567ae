import { expect, it } from "vitest";
import { together } from "./together.ts";

/** Finds the length of each word but those that begin with an x, and keeps what it was asked for. */
function lengths() {
  const asked: (readonly string[])[] = [];
  const find = together(async (words) => {
    asked.push(words);
    if (words.includes("fail")) throw new Error("no");
    return new Map(words.filter((word) => !word.startsWith("x")).map((word) => [word, word.length]));
  });
  return { asked, find };
}

it("finds what is asked for in one turn together, each once", async () => {
  const { asked, find } = lengths();
  expect(await Promise.all(["a", "bb", "a", "xx"].map(find))).toEqual([1, 2, 1, null]);
  expect(asked).toEqual([["a", "bb", "xx"]]);
});

it("asks anew for whoever asks after it was asked", async () => {
  const { asked, find } = lengths();
  const first = find("a");
  await new Promise((turn) => setImmediate(turn));
  const second = find("a");
  expect(await Promise.all([first, second])).toEqual([1, 1]);
  expect(asked).toEqual([["a"], ["a"]]);
});

it("fails for all who asked together, and for nobody after them", async () => {
  const { find } = lengths();
  const failed = await Promise.allSettled([find("a"), find("fail")]);
  expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await find("a")).toBe(1);
});
