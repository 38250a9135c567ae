import { expect, test } from "vitest";
import type { Check } from "../context/check.ts";
import { madeUpCheck } from "../context/made-up-check.ts";
import { inOrder } from "./order.ts";

const idsOf = (checks: readonly Check[], runs: ((check: Check) => number) | null = () => 1): readonly string[] =>
  inOrder(checks, runs).map(({ id }) => id);

const many = madeUpCheck({ id: "many", rules: ["KEYC-01"], effects: ["creates"], draws: { apiKeyWrites: 8 } });
const few = madeUpCheck({ id: "few", rules: ["KEYC-03", "KEYC-04"], effects: ["creates"], draws: { apiKeyWrites: 4 } });
const free = madeUpCheck({ id: "free", rules: ["KEYC-05"], effects: ["creates"], draws: {} });
const burst = madeUpCheck({ id: "burst", rules: ["KEYC-29"], effects: ["creates", "exhausts"], draws: {} });

test("checks that consume no limit come first, and those that exhaust a limit last", () => {
  expect(idsOf([burst, many, few, free])).toEqual(["free", "few", "many", "burst"]);
  expect(idsOf([few, free, burst, many])).toEqual(["free", "few", "many", "burst"]);
});

test("a rule about refusals counts more than others", () => {
  const refusing = madeUpCheck({
    id: "refusing",
    rules: ["KEYC-15"],
    effects: ["creates"],
    draws: { apiKeyWrites: 1 },
  });
  const other = madeUpCheck({ id: "other", rules: ["KEYC-03"], effects: ["creates"], draws: { apiKeyWrites: 1 } });
  expect(idsOf([other, refusing])).toEqual(["refusing", "other"]);
});

test("a rule that an earlier check tests adds nothing", () => {
  const again = madeUpCheck({ ...few, id: "again", draws: { apiKeyWrites: 5 } });
  expect(idsOf([again, few, many])).toEqual(["few", "many", "again"]);
});

test("a key that checks share counts once", () => {
  const sharing = (id: string, rule: "KEYC-01" | "KEYC-03" | "KEYC-04", scope: string): Check =>
    madeUpCheck({ id, rules: [rule], effects: ["creates"], draws: {}, sharedKeys: [[scope], ["apikeys:read"]] });
  const checks = [sharing("a", "KEYC-01", "x"), sharing("b", "KEYC-03", "y"), sharing("c", "KEYC-04", "x")];
  expect(idsOf(checks)).toEqual(["a", "c", "b"]);
});

test("draws do not matter if each check has its own organization", () => {
  expect(idsOf([many, burst, few], null)).toEqual(["many", "few", "burst"]);
});
