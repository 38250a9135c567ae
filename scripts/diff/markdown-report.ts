import type { Verdict } from "../../compiler/diff/change.ts";
import { printableLine } from "../../conformance/reports/printable.ts";
import { countsText } from "./counts-text.ts";
import {
  acceptanceText,
  type DiffReport,
  evidenceText,
  fails,
  failuresOf,
  overrideText,
  placeText,
  readingText,
  touchedText,
  warningsOf,
} from "./diff-report.ts";
import { type Finding, findingsOf, othersText } from "./finding.ts";
import { verdicts } from "./severity.ts";
import { versionText } from "./version-advice.ts";

/** Characters of a value that are shown. */
const shownValue = 300;

/** Characters that a step summary of GitHub and most comments hold with room to spare. */
const maxLength = 60_000;

/** Lines above the tables. */
const maxTold = 50;

/** The report as a comment or step summary; changes that do not fit are counted. */
export function markdownReport(report: DiffReport): string {
  const mark = fails(report) ? "❌" : "✅";
  const title = `## ${mark} Contract: ${countsText(report)}\n\n${inline(report.base)} → ${inline(report.head)}\n`;
  const told = [
    ...failuresOf(report).map((line) => `- ❌ ${plain(line)}`),
    ...warningsOf(report).map((line) => `- ⚠️ **${plain(line)}**`),
    ...(report.version.needed === "none" || report.checkVersion ? [] : [`- ${plain(versionText(report.version))}`]),
  ];
  const limits =
    report.extent === "document" ? ["One side is an OpenAPI document: only what OpenAPI says is compared."] : [];
  const scope = `\n${[...limits, plain(readingText(report))].join(" ")}\n`;
  // Failures of a broken file could be many; the list has its own bound.
  const note = `${scope}${told.length > 0 ? `\n${told.slice(0, maxTold).join("\n")}\n` : ""}`;
  if (report.changes.length === 0) return `${title}${note}\nNo change.\n`;
  let text = title + note;
  let left = 0;
  for (const verdict of verdicts) {
    const listed = report.changes.filter((change) => change.verdict === verdict);
    const kept: string[] = [];
    let length = text.length;
    let told = 0;
    const findings = findingsOf(listed);
    for (const finding of findings) {
      const row = rowText(finding);
      length += row.length;
      if (length > maxLength) break;
      kept.push(row);
      told += 1 + finding.others.length;
    }
    left += listed.length - told;
    if (kept.length > 0) text += sectionText(verdict, findings.length, kept);
  }
  return left > 0 ? `${text}\n${left} more; see the JSON report.\n` : text;
}

function sectionText(verdict: Verdict, count: number, rows: readonly string[]): string {
  const heading = `${verdict[0]?.toUpperCase() ?? ""}${verdict.slice(1)} (${count})`;
  const table = `| where | change | place |\n| --- | --- | --- |\n${rows.join("")}`;
  // What is safe is folded, so that the rest is seen first.
  return verdict === "safe"
    ? `\n<details><summary>${heading}</summary>\n\n${table}\n</details>\n`
    : `\n### ${heading}\n\n${table}`;
}

function rowText(finding: Finding): string {
  const { shown: change, subject } = finding;
  const shown = [
    `**${change.id}**: ${plain(change.message)}`,
    ...[overrideText(change), acceptanceText(change)].map((line) => (line === null ? null : `**${plain(line)}**`)),
    ...[evidenceText(change, shownValue), othersText(finding), touchedText(change)].map((line) =>
      line === null ? null : plain(line),
    ),
  ]
    .filter((line) => line !== null)
    .join("<br>");
  return `| ${inline(subject)} | ${shown} | ${inline(placeText(change) ?? change.pointer)} |\n`;
}

/** Foreign text without power over the markup around it. */
const plain = (text: string): string =>
  printableLine(text).replace(/[\\`*_[\]<>|#&@~]/g, (character) => `&#${character.codePointAt(0)};`);

/** Foreign text as code; what would end the code or the cell is written otherwise. */
const inline = (text: string): string => `\`${printableLine(text).replaceAll("`", "'").replaceAll("|", "\\|")}\``;
