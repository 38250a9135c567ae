import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Blocked } from "../outcome/verdict.ts";
import { newEnding } from "./ending.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function opened() {
  const interrupted = new AbortController();
  const down = new AbortController();
  return { interrupted, down, ending: newEnding(interrupted.signal, down.signal) };
}

test("an interruption ends the checks at once, and all waiting half a second later", () => {
  const { interrupted, ending } = opened();
  expect([ending.ended.aborted, ending.reason()]).toEqual([false, null]);
  interrupted.abort();
  expect(ending.ended.reason).toMatchObject({ name: "Blocked", message: "the run was interrupted" });
  expect(ending.closing.aborted).toBe(false);
  vi.advanceTimersByTime(500);
  expect(ending.closing.aborted).toBe(true);
  expect(ending.reason()).toBe("interrupted before every check was done");
});

test("a target that is gone ends the checks and says so; its sandbox may still take back what was made", () => {
  const { down, ending } = opened();
  down.abort(new Blocked("target down since noon", "start it", "environment"));
  expect(ending.ended.reason).toMatchObject({ message: "target down since noon" });
  expect(ending.reason()).toBe("target down since noon");
  vi.advanceTimersByTime(60_000);
  expect(ending.closing.aborted).toBe(false);
});

test("a run that was interrupted before it began does nothing", () => {
  const interrupted = AbortSignal.abort();
  const ending = newEnding(interrupted, new AbortController().signal);
  expect(ending.ended.aborted).toBe(true);
  ending.release();
});
