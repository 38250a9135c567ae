import type { Verdict } from "../../compiler/diff/change.ts";
import { printable } from "../../conformance/reports/printable.ts";
import { countsText } from "./counts-text.ts";
import {
  acceptanceText,
  type DiffReport,
  evidenceText,
  failuresOf,
  linesText,
  outcomeWord,
  overrideText,
  touchedText,
  warningsOf,
} from "./diff-report.ts";
import { consequencesOf, consequenceText, type Finding, findingsOf, reachText } from "./finding.ts";
import { isAccepted, type JudgedChange } from "./judged-change.ts";
import { versionText } from "./version-advice.ts";

/** Annotations of one level that GitHub shows for a step; further ones are dropped without a word. */
const perLevel = 10;

/** Characters of one message; GitHub cuts at 64 KB. */
const maxMessage = 4000;

const levels: Readonly<Record<Verdict, "error" | "warning" | "notice">> = {
  breaking: "error",
  risky: "warning",
  safe: "notice",
};

/** An accepted change is told, and alarms nobody. */
const levelOf = (change: JudgedChange): "error" | "warning" | "notice" =>
  isAccepted(change) ? "notice" : levels[change.verdict];

/** The report as workflow commands; where a level has more than are shown, the last one counts the rest. */
export function githubReport(report: DiffReport): string {
  const failures = report.stale.length > 0 || report.checkVersion ? failuresOf({ ...report, failOn: "none" }) : [];
  const general = [
    ...failures.map((line) => ({ level: "error", text: `::error title=Contract::${data(line)}` })),
    ...warningsOf(report).map((line) => ({ level: "warning", text: `::warning title=Contract::${data(line)}` })),
  ];
  const told = findingsOf(report.changes).map((finding) => ({
    level: levelOf(finding.shown),
    text: annotation(finding),
  }));
  const lines = (["error", "warning", "notice"] as const).flatMap((level) => {
    const listed = [...general, ...told].filter((line) => line.level === level).map(({ text }) => text);
    if (listed.length <= perLevel) return listed;
    const rest = listed.length - (perLevel - 1);
    const more = `::${level} title=${rest} more of this level::${data("The other formats of the report list them all.")}`;
    return [...listed.slice(0, perLevel - 1), more];
  });
  const summary = `${outcomeWord(report)}: ${report.base} → ${report.head}: ${countsText(report)}. ${versionText(report.version)}`;
  return `${[...lines, data(summary)].join("\n")}\n`;
}

function annotation(finding: Finding): string {
  const { shown: change } = finding;
  const { place, id, operation } = change;
  // An annotation can only stand in a file of the head.
  const at = place !== null && place.side === "head" ? place : null;
  const properties = [
    ...(at === null ? [] : [`file=${property(at.file)}`]),
    ...(at?.line == null ? [] : [`line=${at.line}`]),
    ...(at?.column == null ? [] : [`col=${at.column}`]),
    `title=${property(`${id}${operation === null ? "" : `: ${operation}`}`)}`,
  ];
  const details = [
    overrideText(change),
    acceptanceText(change),
    evidenceText(change, 500),
    change.pointer,
    ...linesText(change),
    ...consequencesOf(finding).map(consequenceText),
    reachText(finding),
    touchedText(change),
  ];
  const message = [change.message, ...details].filter((line) => line !== null).join("\n");
  return `::${levelOf(change)} ${properties.join(",")}::${data(message.slice(0, maxMessage))}`;
}

/** As the runner unescapes it; nothing foreign can begin a command of its own. */
const data = (text: string): string =>
  printable(text).replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

const property = (text: string): string => data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
