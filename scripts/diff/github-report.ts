import type { Change, Verdict } from "../../compiler/diff/change.ts";
import { printable } from "../../conformance/reports/printable.ts";
import { countsText, type DiffReport, evidenceText, verdicts } from "./diff-report.ts";

/** Annotations of one level that GitHub shows for a step; further ones are dropped without a word. */
const perLevel = 10;

/** Characters of one message; GitHub cuts at 64 KB. */
const maxMessage = 4000;

const levels: Readonly<Record<Verdict, "error" | "warning" | "notice">> = {
  breaking: "error",
  risky: "warning",
  safe: "notice",
};

/** The report as workflow commands; where a level has more than are shown, the last one counts the rest. */
export function githubReport(report: DiffReport): string {
  const lines = verdicts.flatMap((verdict) => {
    const listed = report.changes.filter((change) => change.verdict === verdict);
    if (listed.length <= perLevel) return listed.map(annotation);
    const rest = listed.length - (perLevel - 1);
    const more = `::${levels[verdict]} title=${rest} more ${verdict} changes::${data("The other formats of the report list them all.")}`;
    return [...listed.slice(0, perLevel - 1).map(annotation), more];
  });
  return `${[...lines, data(`${report.base} → ${report.head}: ${countsText(report)}`)].join("\n")}\n`;
}

function annotation(change: Change): string {
  const { place, verdict, id, operation } = change;
  // An annotation can only stand in a file of the head.
  const at = place !== null && place.side === "head" ? place : null;
  const properties = [
    ...(at === null ? [] : [`file=${property(at.file)}`]),
    ...(at?.line == null ? [] : [`line=${at.line}`]),
    ...(at?.column == null ? [] : [`col=${at.column}`]),
    `title=${property(`${id}${operation === null ? "" : `: ${operation}`}`)}`,
  ];
  const evidence = evidenceText(change, 500);
  const message = evidence === null ? change.message : `${change.message}\n${evidence}`;
  return `::${levels[verdict]} ${properties.join(",")}::${data(message.slice(0, maxMessage))}`;
}

/** As the runner unescapes it; nothing foreign can begin a command of its own. */
const data = (text: string): string =>
  printable(text).replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

const property = (text: string): string => data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
