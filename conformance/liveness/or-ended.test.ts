import { expect, test, vi } from "vitest";
import { Blocked } from "../outcome/verdict.ts";
import { interruption, orEnded } from "./or-ended.ts";

const down = new Blocked("target down", "start it", "environment");

test("gives what the work gives, or throws what it throws, and forgets the signal", async () => {
  const ends = new AbortController();
  expect(await orEnded(Promise.resolve(7), ends.signal)).toBe(7);
  expect(await orEnded(Promise.resolve(7), null)).toBe(7);
  await expect(orEnded(Promise.reject(new Error("its own")), ends.signal)).rejects.toThrow("its own");
  // Whoever was through with it is none the worse for what happens then.
  ends.abort(down);
});

test("throws why the signal fires, at once, and leaves the work to itself", async () => {
  const ends = new AbortController();
  const work = Promise.withResolvers<number>();
  const done = vi.fn();
  void work.promise.finally(done).catch(() => undefined);
  const waiting = orEnded(work.promise, ends.signal);
  ends.abort(down);
  await expect(waiting).rejects.toBe(down);
  expect(done).not.toHaveBeenCalled();
  // What comes of it later is nobody's.
  work.reject(new Error("too late"));
  await vi.waitFor(() => expect(done).toHaveBeenCalledOnce());
});

test("a signal that has fired before is obeyed before what is ready, and one without a reason tells of an interruption", async () => {
  await expect(orEnded(Promise.resolve(7), AbortSignal.abort(down))).rejects.toBe(down);
  await expect(orEnded(Promise.resolve(7), AbortSignal.abort())).rejects.toThrow(interruption().message);
});
