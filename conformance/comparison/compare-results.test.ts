import { describe, expect, test } from "vitest";
import { hostile, madeUpRun } from "../reports/made-up-run.ts";
import { paintWith } from "../reports/paint.ts";
import { type Results, type ResultsFailure, type ResultsRule, resultsOf } from "../reports/results-json.ts";
import { type Change, compareResults } from "./compare-results.ts";
import { comparisonMarkdown } from "./comparison-markdown.ts";
import { comparisonText } from "./comparison-text.ts";

const results = resultsOf(madeUpRun);
const ruleOf = (id: string): ResultsRule => {
  const found = results.rules.find((rule) => rule.id === id);
  if (found === undefined) throw new Error(`The made-up run has no ${id}.`);
  return found;
};

const passed: ResultsRule = { ...ruleOf("ENV-02") };
const failed: ResultsRule = { ...ruleOf("KEYC-15"), id: passed.id };
const warned: ResultsRule = { ...ruleOf("KEYC-27"), id: passed.id };
const blocked: ResultsRule = { ...ruleOf("KEYC-29"), id: passed.id };
const inPart: ResultsRule = { ...passed, coverage: ruleOf("AUTH-12").coverage };
const elsewhere: ResultsRule = {
  ...failed,
  failures: failed.failures.flatMap((f): ResultsFailure[] => [f, { ...f, check: "keyc.elsewhere" }]),
};

const runOf = (rule: ResultsRule | null): Results => ({ ...results, rules: rule === null ? [] : [rule] });

const cases: readonly (readonly [
  before: ResultsRule | null,
  after: ResultsRule | null,
  change: Change,
  code: 0 | 1,
])[] = [
  [passed, failed, "newly broken", 1],
  [warned, failed, "newly broken", 1],
  [blocked, failed, "newly broken", 1],
  [null, failed, "newly broken", 1],
  [failed, elsewhere, "broken in more checks", 1],
  [elsewhere, failed, "still broken", 0],
  [failed, failed, "still broken", 0],
  [passed, warned, "newly warned about", 0],
  [warned, warned, "still warned about", 0],
  [failed, passed, "fixed", 0],
  [warned, passed, "fixed", 0],
  // Nobody knows whether it still is broken.
  [failed, blocked, "no longer decided", 0],
  [passed, blocked, "no longer decided", 0],
  [passed, inPart, "decided for fewer operations", 0],
  [inPart, passed, "newly decided", 0],
  [blocked, passed, "newly decided", 0],
  [null, passed, "newly decided", 0],
  [null, blocked, "newly in the run", 0],
  [failed, null, "no longer in the run", 0],
  [passed, passed, "alike", 0],
  [blocked, blocked, "alike", 0],
];

describe("a rule in two runs", () => {
  test.each(cases)("case %#: is told as what became of it", (before, after, change, code) => {
    const { rules, counts, exitCode } = compareResults(runOf(before), runOf(after));
    expect(rules.map((rule) => rule.change)).toEqual([change]);
    expect(counts[change]).toBe(1);
    expect(exitCode).toBe(code);
  });
});

describe("what the runs were made with", () => {
  const otherwise: Results = {
    ...results,
    kitVersion: "9.9.9",
    contract: { ...results.contract, digest: "1".repeat(64) },
    target: { ...results.target, sandbox: true, implements: ["messages"] },
    ...{ profile: "full", allow: ["spends"], only: ["KEYC"], skip: ["limits"], seed: 7, runs: 9 },
    interrupted: "interrupted",
  };

  test("is told where it differs, before anything else", () => {
    const comparison = compareResults(results, otherwise);
    expect(comparison.conditions.filter(({ differs }) => differs).map(({ name }) => name)).toEqual([
      ...["bylaw", "contract", "sandbox", "implements", "profile", "leave", "asked for", "left out", "seed", "values"],
      "ended",
    ]);
    const text = comparisonText(comparison, "after.json", paintWith(false), 100);
    expect(text).toMatch(
      /^The runs were made otherwise, which may explain what follows\n {2}bylaw +0\.0\.0 → 9\.9\.9\n/,
    );
    expect(comparisonMarkdown(comparison)).toContain("| profile | Core | Full |");
  });

  test("is not told where it is the same", () => {
    expect(comparisonText(compareResults(results, results), "after.json", paintWith(false), 100)).toMatch(
      /^Both runs were made in the same way\.\n/,
    );
  });
});

test("a rule that is no longer in the run is told at length where it was broken, and by its id alone where it was not", () => {
  for (const told of [
    (before: Parameters<typeof runOf>[0]) => comparisonMarkdown(compareResults(runOf(before), runOf(null))),
    (before: Parameters<typeof runOf>[0]) =>
      comparisonText(compareResults(runOf(before), runOf(null)), "after.json", paintWith(false), 100),
  ]) {
    expect(told(failed)).toContain("was violation, is not in the run");
    expect(told(passed)).toContain(passed.id);
    expect(told(passed)).not.toContain("is not in the run");
  }
});

test("no foreign text steers the terminal or the Markdown", () => {
  const steering = { ...failed, message: hostile, failures: failed.failures.map((f) => ({ ...f, check: hostile })) };
  const comparison = compareResults(runOf(passed), runOf(steering));
  const text = comparisonText(comparison, "after.json", paintWith(false), 100).replaceAll("\n", "");
  expect(/[\p{Cc}\p{Cf}\p{Cs}]/u.test(text)).toBe(false);
  expect(comparisonMarkdown(comparison).replace(/(`+)[^\n]*?[^`]\1(?!`)/g, "")).not.toContain("<script>");
});
