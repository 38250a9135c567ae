import type { Verdict } from "../../compiler/diff/change.ts";
import type { Paint } from "../../conformance/reports/paint.ts";
import { printable, printableLine } from "../../conformance/reports/printable.ts";
import { countsText } from "./counts-text.ts";
import {
  acceptanceText,
  adviceText,
  type DiffReport,
  evidenceText,
  extentText,
  fails,
  failuresOf,
  linesText,
  outcomeWord,
  overrideText,
  placeText,
  readingText,
  touchedText,
  warningsOf,
} from "./diff-report.ts";
import { consequencesOf, consequenceText, type Finding, findingsOf, furtherOf, reachText } from "./finding.ts";
import { verdicts } from "./severity.ts";
import { versionText } from "./version-advice.ts";

/** Characters of a value that are shown. */
const shownValue = 300;

/** Consequences told before the rest is counted. */
const shownConsequences = 4;

/** The report for people: what breaks whom first, the outcome and what to do last, where a terminal stops. */
export function textReport(report: DiffReport, paint: Paint): string {
  const { changes, base, head } = report;
  const groups = verdicts.map((verdict) => groupText(report, verdict, paint)).join("");
  const told = [
    ...warningsOf(report).map((line) => paint.yellow(`! ${printableLine(line)}`)),
    ...failuresOf(report).map((line) => paint.red(`✘ ${printableLine(line)}`)),
    ...(report.version.needed === "none" || report.checkVersion ? [] : [printableLine(versionText(report.version))]),
    ...[changes.length === 0 ? null : readingText(report), extentText(report), adviceText(report)].flatMap((line) =>
      line === null ? [] : [paint.dim(line)],
    ),
  ];
  const sides = `${printableLine(base)} ${changes.length === 0 ? "and" : "→"} ${printableLine(head)}`;
  const outcome = changes.length === 0 ? `no change between ${sides}` : `${sides}: ${countsText(report)}`;
  const mark = fails(report) ? paint.red("✘") : paint.green("✔");
  const exit = `Exit code ${fails(report) ? 1 : 0} (--fail-on ${report.failOn}).`;
  return `${groups}${told.map((line) => `${line}\n`).join("")}${mark} ${outcomeWord(report)}: ${outcome}. ${exit}\n`;
}

function groupText(report: DiffReport, verdict: Verdict, paint: Paint): string {
  const findings = findingsOf(report.changes).filter((finding) => finding.verdict === verdict);
  if (findings.length === 0) return "";
  const parts = [...Map.groupBy(findings, ({ subject }) => subject)].map(
    ([subject, group]) =>
      `  ${paint.bold(printableLine(subject))}\n${group.map((one) => findingText(one, report, paint)).join("")}`,
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

function findingText(finding: Finding, { allPlaces }: DiffReport, paint: Paint): string {
  const { shown: change } = finding;
  const consequences = consequencesOf(finding);
  const listed = allPlaces ? furtherOf(finding) : consequences.slice(0, shownConsequences);
  const left = allPlaces ? 0 : consequences.length - listed.length;
  const strong = [overrideText(change), acceptanceText(change)].flatMap((line) => line ?? []);
  const plain = [evidenceText(change, shownValue) ?? [], linesText(change)].flat();
  const further = [
    ...listed.map((one) =>
      "changes" in one
        ? consequenceText(one)
        : `also ${one.verdict}: ${one.message} (${[one.pointer, placeText(one)].filter(Boolean).join("  ")})`,
    ),
    ...(left > 0 ? [`and ${left} more kinds of consequence (--all-places)`] : []),
    ...[reachText(finding, allPlaces ? Number.POSITIVE_INFINITY : undefined)].flatMap((line) => line ?? []),
    ...[touchedText(change)].flatMap((line) => line ?? []),
    [change.id, change.pointer, placeText(change) ?? ""].filter((part) => part !== "").join("  "),
  ];
  const lines = [
    ...strong.map((line) => paint.yellow(printableLine(line))),
    ...plain.map(printableLine),
    ...further.map((line) => paint.dim(printableLine(line))),
  ];
  return `    ${printable(change.message)}\n${lines.map((line) => `      ${line}\n`).join("")}`;
}
