import { expect, test } from "vitest";
import { allChecks } from "../../conformance/checks/all-checks.ts";
import { namesCheck } from "../../conformance/runner/scope.ts";
import { rules } from "../../generated/rules.ts";
import { lawfulTrials, mutantTrials } from "./trials.ts";

const trials = [...mutantTrials(), ...lawfulTrials()];

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

test("further seeds of a pack run the checks whose values they choose, and no others", () => {
  const [pack] = trials.filter(({ name }) => name === "lawful pack 1, seed 2");
  const kinds = new Set(allChecks.filter(({ id }) => pack?.trial.only.includes(id)).map(({ kind }) => kind));
  expect(kinds).toEqual(new Set(["sampled", "property"]));
});
