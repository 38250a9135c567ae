import { expect, test } from "vitest";
import { type Breaker, mostCutOff, newBreaker } from "./breaker.ts";

const lose = (breaker: Breaker): void => breaker.begin().unanswered("timeout");

const newOne = (): Breaker => newBreaker("target", "see whether it runs");

test("three requests in a row without an answer mean that the party is down, since when and after what", () => {
  const breaker = newOne();
  breaker.begin().answered("GET /a (200)");
  lose(breaker);
  lose(breaker);
  expect(breaker.signal.aborted).toBe(false);
  lose(breaker);
  expect(breaker.signal.reason).toMatchObject({
    name: "Blocked",
    message: expect.stringMatching(
      /^target down since \d{4}-.*Z, after GET \/a \(200\): 3 requests in a row got no whole answer \(timeout\)$/,
    ),
    unblock: "see whether it runs",
    origin: "environment",
  });
});

test("any answer between them means that it is there", () => {
  const breaker = newOne();
  for (let round = 0; round < 10; round += 1) {
    lose(breaker);
    lose(breaker);
    breaker.begin().answered("GET /a (500)");
  }
  expect(breaker.signal.aborted).toBe(false);
});

test("one that is there and answers nothing is down after twenty requests in a row, and not before", () => {
  const breaker = newOne();
  for (let lost = 1; lost < mostCutOff; lost += 1) breaker.begin().cutOff("reset");
  breaker.begin().answered("GET /a (200)");
  for (let lost = 1; lost < mostCutOff; lost += 1) breaker.begin().cutOff("reset");
  expect(breaker.signal.aborted).toBe(false);
  breaker.begin().cutOff("reset");
  expect(breaker.signal.reason.message).toMatch(/20 requests in a row got no whole answer \(reset\)$/);
});

test("one that cuts off is there, so that time-outs count anew", () => {
  const breaker = newOne();
  for (const _ of ["one", "two"]) lose(breaker);
  breaker.begin().cutOff("reset");
  for (const _ of ["one", "two"]) lose(breaker);
  expect(breaker.signal.aborted).toBe(false);
});

test("requests that were under way together count once, however many they were", () => {
  const breaker = newOne();
  const burst = Array.from({ length: 40 }, () => breaker.begin());
  for (const attempt of burst) attempt.unanswered("timeout");
  const probes = Array.from({ length: 40 }, () => breaker.begin());
  for (const attempt of probes) attempt.unanswered("timeout");
  expect(breaker.signal.aborted).toBe(false);
  lose(breaker);
  expect(breaker.signal.aborted).toBe(true);
});

test("one that never answered is told to be down after no answer at all", () => {
  const breaker = newOne();
  for (let round = 0; round < 3; round += 1) lose(breaker);
  expect(breaker.signal.reason.message).toContain("after no answer at all");
});
