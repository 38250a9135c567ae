import { expect, test } from "vitest";
import { constants } from "../../generated/constants.ts";
import { eventTypes } from "../../generated/events.ts";
import { respond } from "../exchange/answer.ts";
import type { Delivery } from "../exchange/delivery.ts";
import { newTallies } from "./tallies.ts";
import { toldTally } from "./told-tally.ts";

const [type = ""] = eventTypes;

const delivery = (number: number, event: string, status = 200, body = JSON.stringify({ type })): Delivery => ({
  ...{ number, url: "https://hooks.example/kit", path: "/kit", method: "POST", receivedAt: number },
  headers: [[constants.eventIdHeader, event]],
  ...{ body: Buffer.from(body), size: body.length, truncated: false, broken: false },
  answer: respond(status),
  ending: { how: "given", at: number },
});

/** What is told of deliveries like the last one. */
function toldOf(decided: readonly (readonly [delivery: Delivery, holds: boolean])[]): string | null {
  const tallies = newTallies();
  const course = tallies.course();
  const judged = { rule: "EVT-06", expected: "a signature", exchanges: [] };
  for (const [one, holds] of decided) course.decided({ ...judged, deliveries: [one] }, holds);
  const told = toldTally(tallies.tallyOf(judged), null, (text) => text);
  return told && `${told.failed} of ${told.of} ${told.what}: ${told.apart}`;
}

test("deliveries that fail are set apart by that they came again, and by what was answered before", () => {
  const firsts = ["a", "b", "c"].map(
    (event, at) => [delivery(at + 1, event, event === "c" ? 200 : 500), true] as const,
  );
  const again = ["a", "b"].map((event, at) => [delivery(at + 4, event), false] as const);
  expect(toldOf([...firsts, ...again])).toBe(
    "2 of 5 deliveries: all that failed (2) had an event id that had come to their address before; none of the others (3) did",
  );
});

test("deliveries that fail are set apart by their type, and by text beyond ASCII", () => {
  const of = (at: number, name: string) => delivery(at, `e${at}`, 200, JSON.stringify({ type: name, note: "ä" }));
  const plain = [1, 2, 3].map((at) => [delivery(at, `e${at}`, 200, "{}"), true] as const);
  expect(toldOf([...plain, [of(4, "none of the contract's"), false]])).toContain("had text beyond ASCII");
  const others = [5, 6, 7].map((at) => [of(at, eventTypes[1]), true] as const);
  expect(toldOf([...others, [of(8, type), false]])).toContain(`all that failed (1) named ${type}`);
});

test("one delivery that is judged twice counts once, and has failed where it failed once", () => {
  const one = delivery(1, "a");
  expect(
    toldOf([
      [one, false],
      [one, true],
      [delivery(2, "b"), true],
    ]),
  ).toBe("1 of 2 deliveries: null");
});

test("of deliveries none of which failed nothing is told", () => {
  expect(toldOf([[delivery(1, "a"), true]])).toBeNull();
});
