import { printable, printableLine } from "../../conformance/reports/printable.ts";
import {
  acceptanceText,
  type DiffReport,
  evidenceText,
  failuresOf,
  isFailing,
  overrideText,
  placeText,
  touchedText,
} from "./diff-report.ts";
import { type JudgedChange, subjectOf } from "./judged-change.ts";

/** The report as JUnit XML: a suite for each operation or area, a case for each change, and one for the whole. */
export function junitReport(report: DiffReport): string {
  const { changes, failOn } = report;
  const suites = [...Map.groupBy(changes, subjectOf)].map(([subject, group]) => {
    const cases = group.map((change) => caseText(change, subject, isFailing(change, failOn)));
    return suiteText(subject, group.length, group.filter((one) => isFailing(one, failOn)).length, cases.join(""));
  });
  // What fails beside the changes themselves. A run without a case looks like one that never took place.
  const further = failuresOf({ ...report, failOn: "none" });
  const whole = further.length > 0 ? failureText(further.join("\n"), "gate") : "";
  const name = changes.length === 0 ? "no change" : "the whole";
  const last = suiteText(
    "contract",
    1,
    further.length > 0 ? 1 : 0,
    `<testcase classname="bylaw.diff" name="${name}" time="0">${whole}</testcase>\n`,
  );
  const failures = changes.filter((change) => isFailing(change, failOn)).length + (further.length > 0 ? 1 : 0);
  const head = '<?xml version="1.0" encoding="UTF-8"?>';
  return `${head}\n<testsuites name="bylaw diff" tests="${changes.length + 1}" failures="${failures}" errors="0" time="0">\n${suites.join("")}${last}</testsuites>\n`;
}

const failureText = (message: string, type: string, text = message): string =>
  `<failure message="${attribute(message)}" type="${type}">${escaped(printable(text))}</failure>`;

const suiteText = (name: string, tests: number, failures: number, content: string): string =>
  `<testsuite name="${attribute(name)}" tests="${tests}" failures="${failures}" errors="0" skipped="0" time="0">\n${content}</testsuite>\n`;

function caseText(change: JudgedChange, subject: string, failing: boolean): string {
  const name = `name="${attribute(`${change.id} ${change.pointer}`)}"`;
  const start = `<testcase classname="bylaw.diff.${attribute(subject)}" ${name} time="0">`;
  const details = [
    ...[change.message, overrideText(change), acceptanceText(change), evidenceText(change, 1000)],
    ...[placeText(change), touchedText(change)],
  ];
  const text = details.filter((line) => line !== null).join("\n");
  const content = failing
    ? failureText(change.message, change.verdict, text)
    : `<system-out>${change.verdict}: ${escaped(printable(text))}</system-out>`;
  return `${start}${content}</testcase>\n`;
}

/** Characters that XML 1.0 admits nowhere, lone halves of surrogate pairs among them. */
const inadmissible = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const escaped = (text: string): string =>
  text.replace(inadmissible, "\ufffd").replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const attribute = (text: string): string => escaped(printableLine(text)).replaceAll('"', "&quot;");
