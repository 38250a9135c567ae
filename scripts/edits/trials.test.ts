import { expect, test } from "vitest";
import { allChecks } from "../../conformance/checks/all-checks.ts";
import { namesCheck } from "../../conformance/runner/scope.ts";
import { rules } from "../../generated/rules.ts";
import { lawfulChoices } from "./lawful-choices.ts";
import { lawfulTrials, mutantTrials, singleTrials } from "./trials.ts";

const inPacks = lawfulTrials();
const trials = [...mutantTrials(), ...inPacks, ...singleTrials()];

test("trials run rules and checks that there are", () => {
  const asked = new Set(trials.flatMap(({ trial, shorter }) => [...trial.only, ...(shorter?.only ?? [])]));
  const isThere = (filter: string): boolean =>
    Object.hasOwn(rules, filter) || allChecks.some((check) => namesCheck(check, filter));
  expect([...asked].filter((filter) => !isThere(filter))).toEqual([]);
});

test("trials have names of their own", () => {
  const names = trials.map(({ name }) => name);
  expect(names.filter((name, at) => names.indexOf(name) < at)).toEqual([]);
});

test("each lawful choice is seen under the whole suite, and under two seeds", () => {
  for (const choice of lawfulChoices) {
    const its = inPacks.filter(({ pack }) => pack.includes(choice));
    expect(
      its.some(({ trial }) => trial.only.length === 0),
      choice.name,
    ).toBe(true);
    expect(new Set(its.map(({ trial }) => trial.seed)).size, choice.name).toBeGreaterThan(1);
  }
});

test("what each lawful choice touches is tried in a pack where nothing else touches it", () => {
  for (const { name, rules } of lawfulChoices) {
    const others = inPacks
      .filter(({ pack, trial }) => pack.some((each) => each.name === name) && covers(trial.only, rules))
      .map(({ pack }) => pack.filter((each) => each.name !== name));
    const isAlone = others.some((pack) => !pack.some((other) => other.rules.some((rule) => rules.includes(rule))));
    expect(isAlone, name).toBe(true);
  }
});

/** Whether a run of these rules and checks has every check of the rules in it. */
const covers = (only: readonly string[], those: readonly string[]): boolean =>
  only.length === 0 ||
  allChecks.every(
    (check) =>
      !check.rules.some((rule) => those.includes(rule)) ||
      only.some((filter) => check.rules.some((rule) => rule === filter) || namesCheck(check, filter)),
  );
