import { expect, test } from "vitest";
import { allChecks } from "../../conformance/checks/all-checks.ts";
import { namesCheck } from "../../conformance/runner/scope.ts";
import { rules } from "../../generated/rules.ts";
import { concessions } from "./concessions.ts";
import { type LawfulChoice, lawfulChoices } from "./lawful-choices.ts";
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

test("what is conceded to one choice is tried where nothing else touches it, nor has it conceded", () => {
  for (const { choices, rules } of concessions.filter((each) => each.choices.length === 1)) {
    const isForeign = ({ name, rules: its }: LawfulChoice): boolean =>
      !choices.includes(name) &&
      [...its, ...concessions.filter((each) => each.choices.includes(name)).flatMap((each) => each.rules)].some(
        (rule) => rules.some((one) => one === rule),
      );
    const its = inPacks.filter(
      ({ pack, trial }) => pack.some(({ name }) => choices.includes(name)) && covers(trial.only, rules),
    );
    expect(
      its.some(({ pack }) => !pack.some(isForeign)),
      choices.join(),
    ).toBe(true);
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
