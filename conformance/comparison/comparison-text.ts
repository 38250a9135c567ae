import type { Paint } from "../reports/paint.ts";
import { printable, printableLine } from "../reports/printable.ts";
import { padEnd, widthOf, wrapped } from "../reports/text-layout.ts";
import { verdictNames } from "../reports/verdict-names.ts";
import { type Change, type Comparison, changes, type RuleComparison, type Standing } from "./compare-results.ts";

/** Rules of one kind that are shown; all of them stand in the JSON. */
const mostShown = 40;

/** Checks that are named of each rule. */
const mostNamed = 5;

/** Kinds of change that say nothing new: rules are counted only. */
export const isOld = (change: Change): boolean => change === "alike";

/** Whether the id alone tells enough of a rule: nothing is broken or mended that was not. */
export const isBrief = ({ change, before }: RuleComparison): boolean =>
  change.startsWith("still ") ||
  change === "newly in the run" ||
  (change === "no longer in the run" && before?.verdict !== "fail" && before?.verdict !== "warn");

/** The comparison in one line: "1 newly broken, 2 fixed, 570 alike". */
export const comparisonHead = ({ counts }: Comparison): string =>
  changes
    .filter((change) => counts[change] > 0)
    .map((change) => `${counts[change]} ${change}`)
    .join(", ");

/** What a rule was and is, in words; then what was seen of it. */
export function changeLines({ change, before, after, newlyIn }: RuleComparison): readonly string[] {
  const now = after?.message ?? "";
  const was = `was ${standingText(before)}, is ${standingText(after)}`;
  const seen = now === "" ? [] : [now];
  const named = newlyIn.slice(0, mostNamed).join(", ") + (newlyIn.length > mostNamed ? ", …" : "");
  if (change === "broken in more checks") return [`now also in ${named}`, ...seen];
  return newlyIn.length === 0 || after?.verdict === "warn" ? [was, ...seen] : [`${was} in ${named}`, ...seen];
}

function standingText(standing: Standing | null): string {
  if (standing === null) return "not in the run";
  const { verdict, coverage } = standing;
  const part =
    coverage === null || coverage.decided === coverage.of
      ? ""
      : ` for ${coverage.decided} of ${coverage.of} operations`;
  return verdictNames[verdict] + part;
}

/** The comparison for a terminal; `file` is the later run's, from which failures can be replayed. */
export function comparisonText(comparison: Comparison, file: string, paint: Paint, columns: number): string {
  const width = Math.min(Math.max(columns, 60), 120);
  const mark = comparison.exitCode === 0 ? paint.green("✓") : paint.red("✗");
  const sections = [
    conditionLines(comparison, paint),
    ...changes
      .filter((change) => !isOld(change))
      .map((change) => changeSection(comparison, change, file, paint, width)),
    [`${mark} ${paint.bold(comparisonHead(comparison))}`],
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function conditionLines({ conditions }: Comparison, paint: Paint): readonly string[] {
  const differing = conditions.filter(({ differs }) => differs);
  if (differing.length === 0) return [paint.dim("Both runs were made in the same way.")];
  const column = Math.max(...differing.map(({ name }) => widthOf(name)));
  return [
    paint.bold("The runs were made otherwise, which may explain what follows"),
    ...differing.map(
      ({ name, before, after }) => `  ${padEnd(name, column)}  ${printableLine(before)} → ${printableLine(after)}`,
    ),
  ];
}

function changeSection(
  comparison: Comparison,
  change: Change,
  file: string,
  paint: Paint,
  width: number,
): readonly string[] {
  const rules = comparison.rules.filter((rule) => rule.change === change);
  if (rules.length === 0) return [];
  const head = `${change[0]?.toUpperCase()}${change.slice(1)} (${rules.length})`;
  const tint = change.includes("broken") ? paint.red : change === "fixed" ? paint.green : (text: string) => text;
  const { brief = [], told: atLength = [] } = Object.groupBy(rules, (rule) => (isBrief(rule) ? "brief" : "told"));
  const ids = wrapped(brief.map(({ id }) => id).join(" "), width - 2).map((line) => `  ${line}`);
  const lines = atLength.slice(0, mostShown).flatMap((rule) => {
    const replay = rule.newlyIn.length === 0 ? [] : [`npx bylaw replay ${file} ${rule.id}`];
    const told = [...changeLines(rule), ...replay].map((line) => paint.dim(printable(line)));
    return [
      ...wrapped(`  ${paint.bold(rule.id)} ${printable(rule.says)}`, width),
      ...told
        .flatMap((text) => text.split("\n").flatMap((line) => wrapped(line, width - 4)))
        .map((line) => `    ${line}`),
    ];
  });
  const left = atLength.length - mostShown;
  const more = left > 0 ? [`  and ${left} more, listed by --format json`] : [];
  return [paint.bold(tint(head)), ...lines, ...more, ...(brief.length === 0 ? [] : ids)];
}
