import { expect, it } from "vitest";
import { allChecks } from "../../conformance/checks/all-checks.ts";
import { invariants } from "../../conformance/monitor/invariants.ts";
import { rules } from "../../generated/rules.ts";
import type { Rule } from "../../generated/runtime/rule.ts";
import { mutants } from "../../reference-server/edits/mutants.ts";
import { unprovenRules } from "./unproven-rules.ts";

const rule: Rule = {
  ...{ about: "fly", says: "It flies.", operations: ["fly"], rows: [], demands: null },
  ...{ level: "must", basis: "explicit", why: null, unobservable: null, questions: [] },
};
const draft = { owner: "ann", expires: "2027-01-31" };
const nothing = { decided: new Set<string>(), broken: new Set<string>() };
const all = { decided: new Set(["KIT-01"]), broken: new Set(["KIT-01"]) };

it("every rule of the contract that a client can observe has a check and a mutant, or is a draft that still may", () => {
  const proof = {
    decided: new Set<string>([...allChecks.flatMap((check) => check.rules), ...invariants.map((each) => each.rule)]),
    broken: new Set<string>(mutants.map(({ breaks }) => breaks)),
  };
  expect(unprovenRules(rules, proof, new Date().toISOString().slice(0, 10))).toEqual([]);
});

it("a rule without check and mutant is told", () => {
  expect(unprovenRules({ "KIT-01": rule }, nothing, "2027-01-01")).toEqual([
    "KIT-01 has no check and no mutant: write it, or make the rule a draft.",
  ]);
  expect(unprovenRules({ "KIT-01": rule }, { ...all, broken: new Set() }, "2027-01-01")).toEqual([
    "KIT-01 has no mutant: write it, or make the rule a draft.",
  ]);
  expect(unprovenRules({ "KIT-01": rule }, all, "2027-01-01")).toEqual([]);
});

it("a draft may go without them on its last day, and not on the day after", () => {
  const rules = { "KIT-01": { ...rule, draft } };
  expect(unprovenRules(rules, nothing, "2027-01-31")).toEqual([]);
  expect(unprovenRules(rules, nothing, "2027-02-01")).toEqual([
    "KIT-01 has no check and no mutant, and the draft of ann ended with 2027-01-31: write it, or agree on another day.",
  ]);
});

it("a draft that has both is one no more", () => {
  expect(unprovenRules({ "KIT-01": { ...rule, draft } }, all, "2027-01-01")).toEqual([
    "KIT-01 has check and mutant: take its draft away.",
  ]);
});

it("nobody owes a check for what no client can observe, nor a mutant for what is only recorded", () => {
  const rules: Readonly<Record<string, Rule>> = {
    "KIT-01": { ...rule, unobservable: "It is dark." },
    "KIT-02": { ...rule, level: "observe", basis: "observed" },
  };
  expect(unprovenRules(rules, { ...nothing, decided: new Set(["KIT-02"]) }, "2027-01-01")).toEqual([]);
});
