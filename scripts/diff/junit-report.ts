import type { Change } from "../../compiler/diff/change.ts";
import { printable, printableLine } from "../../conformance/reports/printable.ts";
import { type DiffReport, evidenceText, fails, placeText, subjectOf } from "./diff-report.ts";

/** The report as JUnit XML: a suite for each operation or area, a case for each change; what fails is as grave as asked. */
export function junitReport(report: DiffReport): string {
  const { changes } = report;
  const isFailure = (change: Change): boolean => fails({ ...report, changes: [change] });
  const suites = [...Map.groupBy(changes, subjectOf)].map(([subject, group]) => {
    const cases = group.map((change) => caseText(change, subject, isFailure(change)));
    return suiteText(subject, group.length, group.filter(isFailure).length, cases.join(""));
  });
  // A run without a case looks like one that never took place.
  const content =
    suites.length > 0
      ? suites.join("")
      : suiteText("contract", 1, 0, '<testcase classname="bylaw.diff" name="no change" time="0"/>\n');
  const failures = changes.filter(isFailure).length;
  const head = '<?xml version="1.0" encoding="UTF-8"?>';
  return `${head}\n<testsuites name="bylaw diff" tests="${Math.max(1, changes.length)}" failures="${failures}" errors="0" time="0">\n${content}</testsuites>\n`;
}

const suiteText = (name: string, tests: number, failures: number, content: string): string =>
  `<testsuite name="${attribute(name)}" tests="${tests}" failures="${failures}" errors="0" skipped="0" time="0">\n${content}</testsuite>\n`;

function caseText(change: Change, subject: string, isFailure: boolean): string {
  const name = `name="${attribute(`${change.id} ${change.pointer}`)}"`;
  const start = `<testcase classname="bylaw.diff.${attribute(subject)}" ${name} time="0">`;
  const details = [change.message, evidenceText(change, 1000), placeText(change), change.rules.join(", ")];
  const text = escaped(printable(details.filter((line) => line !== null && line !== "").join("\n")));
  const content = isFailure
    ? `<failure message="${attribute(change.message)}" type="${change.verdict}">${text}</failure>`
    : `<system-out>${change.verdict}: ${text}</system-out>`;
  return `${start}${content}</testcase>\n`;
}

/** Characters that XML 1.0 admits nowhere, lone halves of surrogate pairs among them. */
const inadmissible = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const escaped = (text: string): string =>
  text.replace(inadmissible, "\ufffd").replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const attribute = (text: string): string => escaped(printableLine(text)).replaceAll('"', "&quot;");
