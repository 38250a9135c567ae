import type { Verdict } from "../../compiler/diff/change.ts";
import type { Paint } from "../../conformance/reports/paint.ts";
import { printable, printableLine } from "../../conformance/reports/printable.ts";
import { countsText } from "./counts-text.ts";
import {
  acceptanceText,
  type DiffReport,
  evidenceText,
  fails,
  failuresOf,
  isFailing,
  overrideText,
  placeText,
  readingText,
  touchedText,
  warningsOf,
} from "./diff-report.ts";
import { type Finding, findingsOf, othersText } from "./finding.ts";
import type { JudgedChange } from "./judged-change.ts";
import { verdicts } from "./severity.ts";
import { versionText } from "./version-advice.ts";

/** Characters of a value that are shown. */
const shownValue = 300;

/** The report for people: the gravest first, then by operation. */
export function textReport(report: DiffReport, paint: Paint): string {
  const { changes, base, head } = report;
  const note =
    report.extent === "document"
      ? "One side is an OpenAPI document: only what OpenAPI says is compared, no limits, errors, rules or the like.\n"
      : "";
  const groups = verdicts.map((verdict) => groupText(changes, verdict, paint)).join("");
  const told = [
    ...warningsOf(report).map((line) => paint.yellow(`! ${printableLine(line)}`)),
    ...failuresOf(report).map((line) => paint.red(`✘ ${printableLine(line)}`)),
    ...(report.version.needed === "none" || report.checkVersion ? [] : [printableLine(versionText(report.version))]),
  ];
  const sides = `${printableLine(base)} ${changes.length === 0 ? "and" : "→"} ${printableLine(head)}`;
  const outcome =
    changes.length === 0
      ? `No change between ${sides}. ${exitRule(report)}`
      : `${sides}: ${countsText(report)}. ${exitRule(report)}`;
  const how = changes.length === 0 ? "" : `${paint.dim(readingText(report))}\n`;
  const mark = fails(report) ? paint.red("✘") : paint.green("✔");
  return `${note}${groups}${told.map((line) => `${line}\n`).join("")}${how}${mark} ${outcome}\n${hint(report)}`;
}

/** What decided the exit code. */
const exitRule = (report: DiffReport): string => `Exit code ${fails(report) ? 1 : 0} (--fail-on ${report.failOn}).`;

const hint = (report: DiffReport): string =>
  report.changes.some((change) => isFailing(change, report.failOn))
    ? "  To accept changes for a time, run this again with --print-acceptances.\n"
    : "";

function groupText(changes: readonly JudgedChange[], verdict: Verdict, paint: Paint): string {
  const listed = changes.filter((change) => change.verdict === verdict);
  if (listed.length === 0) return "";
  const findings = findingsOf(listed);
  const parts = [...Map.groupBy(findings, ({ subject }) => subject)].map(
    ([subject, group]) =>
      `  ${paint.bold(printableLine(subject))}\n${group.map((one) => findingText(one, paint)).join("")}`,
  );
  return `${heading(verdict, findings.length, paint)}\n${parts.join("")}\n`;
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

function findingText(finding: Finding, paint: Paint): string {
  const { shown: change } = finding;
  const where = [change.pointer, placeText(change) ?? ""].filter((part) => part !== "").join("  ");
  const decided = [overrideText(change), acceptanceText(change)].map((line) =>
    line === null ? null : paint.yellow(printableLine(line)),
  );
  const lines = [evidenceText(change, shownValue), where, othersText(finding), touchedText(change)].map((line) =>
    line === null ? null : paint.dim(printableLine(line)),
  );
  const details = [...decided, ...lines]
    .flatMap((line) => (line === null || line === "" ? [] : [`      ${line}\n`]))
    .join("");
  return `    ${paint.cyan(change.id)}: ${printable(change.message)}\n${details}`;
}
