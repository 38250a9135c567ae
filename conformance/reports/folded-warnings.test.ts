import { describe, expect, test } from "vitest";
import { type RuleId, rules } from "../../generated/rules.ts";
import type { Verdict } from "../outcome/verdict.ts";
import type { RuleResult, RunResult } from "../runner/run-result.ts";
import { causesOf } from "./causes.ts";
import { reportedCauses, warningsHead } from "./folded-warnings.ts";
import { htmlReport } from "./html.ts";
import { at } from "./made-up-answers.ts";
import { cleanRun, finding, ruleResult } from "./made-up-run.ts";
import { markdownSummary } from "./markdown.ts";
import { terminalReport } from "./terminal.ts";

/** A rule with one finding, whose cause no other rule shares. */
const found = (id: RuleId, operation: string, verdict: Verdict): RuleResult =>
  ruleResult(id, rules[id], verdict, [
    finding(id, `check-of-${id}`, verdict, {
      ...{ expected: `expected by ${id}`, actual: `actual of ${id}` },
      exchanges: [at(operation, Number(id.split("-")[1]))],
    }),
  ]);

const runOf = (...results: readonly RuleResult[]): RunResult => ({ ...cleanRun, rules: results, checks: [] });

const violation = found("KEYG-02", "getApiKey", "fail");
const warnings = [
  found("LKP-11", "getLookup", "warn"),
  found("MSG-60", "listMessages", "warn"),
  found("WHL-22", "listWebhookEndpoints", "warn"),
  found("BRD-03", "getBrand", "warn"),
  found("MSG-31", "sendMessage", "warn"),
  found("KEYR-07", "rotateApiKey", "warn"),
];

const terminal = (run: RunResult): string =>
  terminalReport(run, { colour: false, width: 100, reports: ["out/report.html", "out/results.json"], quiet: false });

const occurrences = (text: string, part: string): number => text.split(part).length - 1;

describe("warnings of a run with violations", () => {
  const run = runOf(violation, ...warnings);

  test("are one line each in the terminal, five at most", () => {
    const text = terminal(run);
    const [, section = ""] = text.split("\n6 warnings\n");
    expect(section.split("\n").slice(0, 7)).toEqual([
      ...causesOf(run)
        .filter(({ verdict }) => verdict === "warn")
        .slice(0, 5)
        .map(({ rules: [rule] }) => expect.stringMatching(new RegExp(`^ {2}! ${rule?.id} .{1,90}$`))),
      "  1 more warning in out/report.html",
      "",
    ]);
    expect(text).toMatch(/\n✗ 1 violation; 6 warnings; /);
    expect(text).not.toContain("Warning\n");
  });

  test("come once in each report", () => {
    for (const text of [terminal(run), markdownSummary(run)]) {
      const shown = warnings.map(({ id }) => occurrences(text, `actual of ${id}`));
      expect(shown.toSorted()).toEqual([0, 1, 1, 1, 1, 1]);
    }
  });

  test("are a list after the causes in the summary", () => {
    const text = markdownSummary(run);
    expect(text).toContain("### 1 probable cause, 1 rule affected\n");
    expect(text).toMatch(/\n### 6 warnings\n\n(- \*\*[A-Z]+-\d+\*\* `.*`\n){5}- 1 more warning in `report.html`\n/);
  });

  test("are folded after the violations on the page, all of them", () => {
    const text = htmlReport(run);
    const [before = "", folded = ""] = text.split('id="warnings"');
    expect(before).toContain('class="cause fail"');
    expect(before).not.toContain('class="cause warn"');
    expect(folded.startsWith(" data-list>")).toBe(true);
    expect(occurrences(folded, 'class="cause warn"')).toBe(warnings.length);
  });

  test("are shown with a violation of the same cause", () => {
    const [one] = violation.findings;
    const findings = one === undefined ? [] : [{ ...one, rule: "KEYG-03" as const, verdict: "warn" as const }];
    const shared = ruleResult("KEYG-03", rules["KEYG-03"], "warn", findings);
    const { causes, warnings: folded } = reportedCauses(runOf(violation, shared, ...warnings));
    expect(causes.map(({ rules: all }) => all.map(({ id }) => id))).toEqual([["KEYG-02", "KEYG-03"]]);
    expect(folded && warningsHead(folded)).toBe("7 warnings, 1 of them shown with the causes above");
    expect(folded?.entries).toHaveLength(warnings.length);
  });

  test("stay at length if they are possible leaks", () => {
    const leak = found("TEN-10", "listEvents", "warn");
    const { causes } = reportedCauses(runOf(violation, leak, ...warnings));
    expect(causes.map(({ primary }) => primary.rules[0]?.id)).toEqual(["TEN-10", "KEYG-02"]);
  });
});

describe("warnings of a run without new violations", () => {
  test("are shown at length, and once", () => {
    const text = terminal(runOf(...warnings.slice(0, 3)));
    expect(text).toContain("\n3 probable causes, 3 rules affected\n\n1. Warning\n! ");
    for (const { id } of warnings.slice(0, 3)) expect(occurrences(text, `actual of ${id}`)).toBe(1);
  });

  test("without a card have a line", () => {
    const many = [...warnings, ...warnings.map((rule, index) => ({ ...rule, id: `LIM-${index + 200}` }))];
    const text = terminal(runOf(...many));
    for (const { number } of causesOf(runOf(...many)).map((_, index) => ({ number: index + 1 })))
      expect(text).toMatch(new RegExp(`\\n(${number}\\. Warning|  ${number} ! )`));
  });

  test("are shown at length next to known violations", () => {
    const names = { file: "baseline.yaml", rules: ["KEYG-02"] };
    const run = { ...runOf(violation, ...warnings), baseline: { ...names, known: [], stale: [], untried: [] } };
    expect(reportedCauses(run).warnings).toBe(null);
    expect(terminal(run)).not.toContain("more warnings");
  });
});
