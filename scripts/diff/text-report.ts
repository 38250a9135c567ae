import type { Change, Verdict } from "../../compiler/diff/change.ts";
import type { Paint } from "../../conformance/reports/paint.ts";
import { printable, printableLine } from "../../conformance/reports/printable.ts";
import { countsText, type DiffReport, evidenceText, fails, placeText, subjectOf, verdicts } from "./diff-report.ts";

/** Characters of a value that are shown. */
const shownValue = 300;

/** The report for people: the gravest first, then by operation. */
export function textReport(report: DiffReport, paint: Paint): string {
  const { changes, base, head } = report;
  const note =
    report.extent === "document"
      ? "One side is an OpenAPI document: only what OpenAPI says is compared, no limits, errors, rules or the like.\n"
      : "";
  if (changes.length === 0) return `${note}${paint.green("✔")} No change between ${base} and ${head}.\n`;
  const groups = verdicts.map((verdict) => groupText(changes, verdict, paint)).join("");
  const mark = fails(report) ? paint.red("✘") : paint.green("✔");
  return `${note}${groups}${mark} ${printableLine(base)} → ${printableLine(head)}: ${countsText(report)}. ${exitRule(report)}\n`;
}

/** What decided the exit code. */
function exitRule(report: DiffReport): string {
  const level = `--fail-on ${report.failOn}`;
  return fails(report) ? `Exit code 1 (${level}).` : `Exit code 0 (${level}).`;
}

function groupText(changes: readonly Change[], verdict: Verdict, paint: Paint): string {
  const listed = changes.filter((change) => change.verdict === verdict);
  if (listed.length === 0) return "";
  const bySubject = Map.groupBy(listed, subjectOf);
  const parts = [...bySubject].map(
    ([subject, group]) =>
      `  ${paint.bold(printableLine(subject))}\n${group.map((one) => changeText(one, paint)).join("")}`,
  );
  return `${heading(verdict, listed.length, paint)}\n${parts.join("")}\n`;
}

function heading(verdict: Verdict, count: number, paint: Paint): string {
  const text = `${verdict[0]?.toUpperCase() ?? ""}${verdict.slice(1)} (${count})`;
  switch (verdict) {
    case "breaking":
      return paint.red(paint.bold(text));
    case "risky":
      return paint.yellow(paint.bold(text));
    case "safe":
      return paint.green(paint.bold(text));
  }
}

function changeText(change: Change, paint: Paint): string {
  const rules = change.rules.length > 0 ? `rules: ${shortList(change.rules)}` : "";
  const where = [change.pointer, placeText(change) ?? ""].filter((part) => part !== "").join("  ");
  const lines = [evidenceText(change, shownValue) ?? "", where, rules].filter((line) => line !== "");
  const details = lines.map((line) => `      ${paint.dim(printableLine(line))}\n`).join("");
  return `    ${paint.cyan(change.id)}: ${printable(change.message)}\n${details}`;
}

const shownRules = 8;

const shortList = (ids: readonly string[]): string =>
  ids.length <= shownRules
    ? ids.join(", ")
    : `${ids.slice(0, shownRules).join(", ")} and ${ids.length - shownRules} more`;
