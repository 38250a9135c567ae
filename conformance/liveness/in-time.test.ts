import { expect, test } from "vitest";
import { inTime } from "./in-time.ts";

/** Never ends by itself; rejects with the reason of the signal. */
const untilFired = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));

test("what the work gives is given", async () => {
  expect(await inTime(60_000, new AbortController().signal, async () => "done")).toBe("done");
});

test("work that takes too long is told so", async () => {
  await expect(inTime(5, new AbortController().signal, untilFired)).rejects.toMatchObject({ name: "AbortError" });
});

test("work ends with the other signal, for its reason", async () => {
  const ends = new AbortController();
  const ended = inTime(60_000, ends.signal, untilFired);
  ends.abort(new Error("over"));
  await expect(ended).rejects.toThrow("over");
});

test("work that begins too late sees a signal that has fired", async () => {
  const ended = AbortSignal.abort(new Error("over"));
  expect(await inTime(60_000, ended, async ({ aborted }) => aborted)).toBe(true);
});

test("a signal that outlives the work says nothing of it any more", async () => {
  const ends = new AbortController();
  const seen = await inTime(60_000, ends.signal, async (signal) => signal);
  ends.abort();
  expect(seen.aborted).toBe(false);
});
