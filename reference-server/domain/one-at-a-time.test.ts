import { describe, expect, it } from "vitest";
import { oneAtATime } from "./one-at-a-time.ts";

describe("work under a name", () => {
  it("runs in order and never side by side, also after a failure", async () => {
    const run = oneAtATime();
    const seen: string[] = [];
    const work = (label: string, fails = false) =>
      run("a", async () => {
        seen.push(`${label} begins`);
        await new Promise((done) => setTimeout(done, 5));
        seen.push(`${label} ends`);
        if (fails) throw new Error(label);
        return label;
      });
    const results = await Promise.allSettled([work("one"), work("two", true), work("three")]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(seen).toEqual(["one", "two", "three"].flatMap((label) => [`${label} begins`, `${label} ends`]));
  });

  it("does not wait for work under another name", async () => {
    const run = oneAtATime();
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting = run("a", () => promise);
    expect(await run("b", async () => "done")).toBe("done");
    resolve();
    await waiting;
  });
});
