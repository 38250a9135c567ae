import { describe, expect, it } from "vitest";
import { couldBeApart, type Decided, type Fact, leastOfHistory, whatSetsApart } from "./apart.ts";

const again: Fact = { says: "sent a value again", rank: leastOfHistory };
const rejects: Fact = { says: 'had mode "reject"', rank: 1 };
const present: Fact = { says: "had mode", rank: 2 };
const later: Fact = { says: "came after another", rank: leastOfHistory + 1 };

const thrice: Fact = { says: "came after exactly 3", rank: leastOfHistory + 2 };

const calls = (times: number, holds: boolean, ...facts: readonly Fact[]): readonly Decided[] =>
  Array.from({ length: times }, () => ({ holds, facts: new Set(facts) }));

const table: readonly (readonly [what: string, calls: readonly Decided[], apart: string | null])[] = [
  ["a fact of all that failed", [...calls(3, false, again), ...calls(4, true)], "failed: sent a value again"],
  ["a fact of all others", [...calls(3, false), ...calls(4, true, later)], "held: came after another"],
  [
    "the plainest of several, with the others",
    [...calls(3, false, later, again), ...calls(4, true)],
    "failed: sent a value again, or came after another",
  ],
  [
    "what came before, and not how often beside that",
    [...calls(3, false, again, thrice), ...calls(4, true)],
    "failed: sent a value again",
  ],
  ["how often something came, alone", [...calls(3, false, thrice), ...calls(4, true)], "failed: came after exactly 3"],
  [
    "what a call was, and not what came before it",
    [...calls(3, false, later, rejects, again), ...calls(4, true)],
    'failed: had mode "reject"',
  ],
  [
    "that something was there, where it had one value alone",
    [...calls(3, false, rejects, present), ...calls(4, true)],
    "failed: had mode",
  ],
  [
    "a fact that one other call has too",
    [...calls(3, false, again), ...calls(3, true), ...calls(1, true, again)],
    null,
  ],
  ["a fact that one of the failed lacks", [...calls(2, false, again), ...calls(1, false), ...calls(4, true)], null],
  [
    "two facts together",
    [...calls(4, false, again, later), ...calls(4, true, again), ...calls(4, true, later)],
    "failed: sent a value again and came after another",
  ],
  [
    "two together in a few calls",
    [...calls(2, false, again, later), ...calls(1, true, again), ...calls(1, true, later)],
    null,
  ],
  ["one of two calls", [...calls(1, false, again), ...calls(1, true)], null],
  ["one of three", [...calls(1, false, again), ...calls(2, true)], null],
  ["one of four", [...calls(1, false, rejects), ...calls(3, true)], 'failed: had mode "reject"'],
  ["all calls failed", calls(9, false, again), null],
];

describe("what sets calls apart", () => {
  it.each(table)("%s", (_, decided, wanted) => {
    const apart = whatSetsApart(decided);
    const says = (facts: readonly Fact[], word: string): string => facts.map((fact) => fact.says).join(word);
    const told =
      apart &&
      `${apart.failing ? "failed" : "held"}: ${[says(apart.facts, " and "), ...apart.or.map((or) => or.says)].join(", or ")}`;
    expect(told).toBe(wanted);
  });

  it("would show only in enough calls of either kind", () => {
    expect(couldBeApart([...calls(4, false), ...calls(6, true)])).toBe(true);
    expect(couldBeApart([...calls(1, false), ...calls(20, true)])).toBe(false);
    expect(couldBeApart(calls(20, false))).toBe(false);
  });
});
