import { describe, expect, it } from "vitest";
import { entities } from "../../../generated/states.ts";
import { allChecks } from "../all-checks.ts";
import { callOf, type EntityName, type Move } from "./machine.ts";
import type { WalkedCheck } from "./walked.ts";

/** Entities whose moves show in what is delivered, or are one answer each: the checks that look at that. */
const checkedByHand: Readonly<Partial<Record<EntityName, readonly string[]>>> = {
  "phone-number order": ["phone-numbers.shortage", "phone-numbers.bulk-shortage"],
  "send request": ["quiet-hours.deferred", "quiet-hours.rejected", "quiet-hours.rejection-effect"],
  "endpoint signing secret": ["webhooks.rotate-answer", "webhooks.signed-rotation"],
  "organization signing secret": ["webhooks.organization-rotation", "webhooks.organization-secret-grace"],
  "event delivered": ["deliveries.replay-answer", "deliveries.replay-delivery", "deliveries.replay-expiry"],
};

const isWalked = (one: object): one is WalkedCheck => "made" in one && "entity" in one;

const walks = allChecks.filter(isWalked);

/** The rules of a move that none of these checks decides. */
const undecided = (move: Move, ids: readonly string[]): readonly string[] =>
  [move.rule, ...(move.stateRule === null ? [] : [move.stateRule])].filter(
    (rule) => !allChecks.some((one) => ids.includes(one.id) && one.rules.includes(rule)),
  );

const cases = entities.flatMap(({ name, transitions }) =>
  transitions.map((move: Move) => ({ name, move, says: `${name}: ${move.from} to ${move.to} by ${callOf(move)}` })),
);

describe("every move that the contract shows is made by a walk, or checked by hand", () => {
  it.each(cases)("$says", ({ name, move }) => {
    const walk = walks.find(({ entity }) => entity === name);
    const left = walk?.left.find(({ state, call }) => state === move.from && call === callOf(move));
    const byHand = Object.entries(checkedByHand).find(([entity]) => entity === name)?.[1];
    if (left !== undefined) expect(undecided(move, [left.decidedBy])).toEqual([]);
    if (walk !== undefined) expect(walk.made.includes(move) || left !== undefined).toBe(true);
    else expect(undecided(move, byHand ?? [])).toEqual([]);
  });
});

it("no entity has both, and each that is checked by hand is one of the contract", () => {
  const names: readonly string[] = cases.map(({ name }) => name);
  const byHand = Object.keys(checkedByHand);
  expect(byHand.filter((name) => !names.includes(name) || walks.some(({ entity }) => entity === name))).toEqual([]);
});
