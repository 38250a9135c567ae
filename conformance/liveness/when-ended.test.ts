import { expect, test, vi } from "vitest";
import { whenEnded } from "./when-ended.ts";

test("all who wait are told once, in their order, and who was forgotten is not", () => {
  const ends = new AbortController();
  const told: string[] = [];
  const say = (name: string) => () => void told.push(name);
  whenEnded(ends.signal, say("first"));
  const forget = whenEnded(ends.signal, say("second"));
  whenEnded(ends.signal, say("third"));
  forget();
  ends.abort();
  ends.abort();
  expect(told).toEqual(["first", "third"]);
});

test("what is asked for twice is done twice, and forgotten one by one", () => {
  const ends = new AbortController();
  const act = vi.fn();
  const forget = whenEnded(ends.signal, act);
  whenEnded(ends.signal, act);
  forget();
  ends.abort();
  expect(act).toHaveBeenCalledTimes(1);
});

test("a signal that has fired is told of at once", () => {
  const act = vi.fn();
  whenEnded(AbortSignal.abort(), act)();
  expect(act).toHaveBeenCalledTimes(1);
});

test("who comes after all others were forgotten is told all the same", () => {
  const ends = new AbortController();
  whenEnded(ends.signal, () => undefined)();
  const act = vi.fn();
  whenEnded(ends.signal, act);
  ends.abort();
  expect(act).toHaveBeenCalledTimes(1);
});
