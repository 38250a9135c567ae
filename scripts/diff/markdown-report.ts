import type { Verdict } from "../../compiler/diff/change.ts";
import { printableLine } from "../../conformance/reports/printable.ts";
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
import {
  consequencesOf,
  consequenceText,
  type Finding,
  findingsOf,
  namedPlaces,
  reachOf,
  reachText,
} from "./finding.ts";
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
  const title = `## ${mark} Contract: ${outcomeWord(report).toLowerCase()}, ${countsText(report)}\n\n${inline(report.base)} → ${inline(report.head)}\n`;
  const told = [
    ...failuresOf(report).map((line) => `- ❌ ${plain(line)}`),
    ...warningsOf(report).map((line) => `- ⚠️ **${plain(line)}**`),
    ...(report.version.needed === "none" || report.checkVersion ? [] : [`- ${plain(versionText(report.version))}`]),
  ];
  const about = [extentText(report), readingText(report), adviceText(report)].flatMap((line) => line ?? []);
  const scope = `\n${about.map(plain).join(" ")}\n`;
  const all = findingsOf(report.changes);
  // Failures of a broken file could be many; the list has its own bound.
  const note = `${scope}${told.length > 0 ? `\n${told.slice(0, maxTold).join("\n")}\n` : ""}`;
  if (report.changes.length === 0) return `${title}${note}\nNo change.\n`;
  let text = title + note;
  let left = 0;
  for (const verdict of verdicts) {
    const kept: string[] = [];
    let length = text.length;
    let told = 0;
    const findings = all.filter((finding) => finding.verdict === verdict);
    for (const finding of findings) {
      const row = rowText(finding);
      length += row.length;
      if (length > maxLength) break;
      kept.push(row);
      told += 1;
    }
    left += findings.length - told;
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
  const strong = [overrideText(change), acceptanceText(change)].flatMap((line) => line ?? []);
  const consequences = consequencesOf(finding).map(consequenceText);
  const reach = reachText(finding);
  const long = reachOf(finding).some(({ names }) => names.length > namedPlaces) ? reachOf(finding) : [];
  const shown = [
    `**${plain(change.message)}**`,
    ...strong.map((line) => `**${plain(line)}**`),
    ...[evidenceText(change, shownValue)].flatMap((line) => (line === null ? [] : [plain(line)])),
    ...linesText(change).map(inline),
    ...(reach === null || long.length > 0 ? [] : [plain(reach)]),
    ...long.flatMap(({ count, names }) => folded(`reaches ${count}`, names)),
    ...folded(`${consequences.length} more that follow from it`, consequences),
    ...folded(
      "rules and checks",
      [touchedText(change)].flatMap((line) => line ?? []),
    ),
    inline(change.id),
  ].join("<br>");
  return `| ${inline(subject)} | ${shown} | ${inline(placeText(change) ?? change.pointer)} |\n`;
}

/** Lines of one list that are shown. */
const maxFolded = 100;

/** Lines behind a heading that opens them. */
function folded(heading: string, lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [];
  const rest = lines.length > maxFolded ? [`and ${lines.length - maxFolded} more; see the JSON report`] : [];
  const listed = [...lines.slice(0, maxFolded), ...rest].map(plain).join("<br>");
  return [`<details><summary>${heading}</summary>${listed}</details>`];
}

/** Foreign text without power over the markup around it. */
const plain = (text: string): string =>
  printableLine(text).replace(/[\\`*_[\]<>|#&@~]/g, (character) => `&#${character.codePointAt(0)};`);

/** Foreign text as code: between more backticks than it has in a row, and without what would end the cell. */
function inline(text: string): string {
  const code = printableLine(text).replaceAll("|", "\\|");
  const longest = Math.max(0, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return longest === 0 ? `${fence}${code}${fence}` : `${fence} ${code} ${fence}`;
}
