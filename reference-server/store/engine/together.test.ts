import { afterEach, expect, it, vi } from "vitest";
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

/** Finds nothing until it is told to go on. */
function held() {
  const batches: { readonly words: readonly string[]; readonly goOn: () => void }[] = [];
  const find = together<string>(async (words) => {
    await new Promise<void>((resolve) => batches.push({ words, goOn: resolve }));
    return new Map(words.map((word) => [word, word]));
  });
  return { batches, find };
}

afterEach(() => void vi.useRealTimers());

const turn = () => new Promise((done) => setImmediate(done));

it("gathers what is asked for while another batch is looked for", async () => {
  const { batches, find } = held();
  const asked: Promise<string | null>[] = [];
  const askFor = async (word: string) => {
    asked.push(find(word));
    await turn();
  };
  await askFor("a");
  await askFor("b");
  await askFor("c");
  batches[0]?.goOn();
  expect(await asked[0]).toBe("a");
  await expect.poll(() => batches.map(({ words }) => words)).toEqual([["a"], ["b", "c"]]);
  batches[1]?.goOn();
  expect(await Promise.all(asked)).toEqual(["a", "b", "c"]);
});

it("looks for a second batch where the first takes long, and for no third", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { batches, find } = held();
  const asked: Promise<string | null>[] = [];
  for (const word of ["a", "b", "c", "d"]) {
    asked.push(find(word));
    await turn();
    await vi.advanceTimersByTimeAsync(1000);
  }
  expect(batches.map(({ words }) => words)).toEqual([["a"], ["b"]]);
  batches[1]?.goOn();
  expect(await asked[1]).toBe("b");
  await expect.poll(() => batches.map(({ words }) => words)).toEqual([["a"], ["b"], ["c", "d"]]);
  for (const { goOn } of batches) goOn();
  expect(await Promise.all(asked)).toEqual(["a", "b", "c", "d"]);
});

it("goes on with others while one of them hangs", async () => {
  const { batches, find } = held();
  const hanging = find("hangs");
  await turn();
  for (const word of ["a", "b"]) {
    const found = find(word);
    await expect.poll(() => batches.at(-1)?.words).toEqual([word]);
    batches.at(-1)?.goOn();
    expect(await found).toBe(word);
  }
  batches[0]?.goOn();
  expect(await hanging).toBe("hangs");
});
