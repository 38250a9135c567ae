import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Blocked } from "../outcome/verdict.ts";
import { checkSignal, openDeadline, pause, whileWaiting } from "./deadline.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const late = (): Blocked => new Blocked("too late", "hurry", "environment");

const within = (milliseconds: number, ended = new AbortController().signal) =>
  openDeadline({ milliseconds, ended, late });

/** Tells at any time what became of a promise so far. */
function watched(promise: Promise<unknown>): { readonly state: () => string } {
  let state = "open";
  promise.then(
    (value) => {
      state = `gave ${value}`;
    },
    (error: unknown) => {
      state = error instanceof Error ? error.message : "threw";
    },
  );
  return { state: () => state };
}

const never = (): Promise<never> => new Promise(() => undefined);

test("work that is done in time gives what it gives", async () => {
  expect(await within(100).run(async () => 7)).toBe(7);
  await expect(within(100).run(() => Promise.reject(new Error("its own")))).rejects.toThrow("its own");
});

test("work that hangs is ended when its time is up, whatever it waits for", async () => {
  const outcome = watched(within(100).run(never));
  await vi.advanceTimersByTimeAsync(99);
  expect(outcome.state()).toBe("open");
  await vi.advanceTimersByTimeAsync(1);
  expect(outcome.state()).toBe("too late");
});

test("what it waits lawfully does not count, also when it waits for several things at once", async () => {
  const outcome = watched(
    within(100).run(async () => {
      await pause(1_000);
      await Promise.all([pause(2_000), whileWaiting(() => pause(3_000))]);
      return never();
    }),
  );
  await vi.advanceTimersByTimeAsync(4_000 + 99);
  expect(outcome.state()).toBe("open");
  await vi.advanceTimersByTimeAsync(2);
  expect(outcome.state()).toBe("too late");
});

test("the end of the run ends it at once and says why, also while it waits", async () => {
  const run = new AbortController();
  const outcome = watched(within(100, run.signal).run(() => pause(1_000_000)));
  await vi.advanceTimersByTimeAsync(10);
  run.abort(new Blocked("target down", "start it", "environment"));
  await vi.advanceTimersByTimeAsync(0);
  expect(outcome.state()).toBe("target down");
});

test("what the work leaves running finds its time over", async () => {
  let found: AbortSignal | null = null;
  await within(100).run(async () => {
    found = checkSignal();
  });
  expect(found).toMatchObject({ aborted: true });
  expect(checkSignal()).toBeNull();
});

test("two checks at a time have a time each", async () => {
  const short = watched(within(100).run(never));
  const long = watched(within(1_000).run(never));
  await vi.advanceTimersByTimeAsync(100);
  expect([short.state(), long.state()]).toEqual(["too late", "open"]);
});
