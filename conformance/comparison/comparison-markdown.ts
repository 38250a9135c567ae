import { code, plain, says } from "../reports/markdown-text.ts";
import { type Change, type Comparison, changes } from "./compare-results.ts";
import { changeLines, comparisonHead, isBrief, isOld } from "./comparison-text.ts";

/** Rules of one kind that are shown, so that the whole fits a comment. */
const mostShown = 20;

/** The comparison as a comment or step summary. */
export function comparisonMarkdown(comparison: Comparison): string {
  const mark = comparison.exitCode === 0 ? "✅" : "❌";
  const sections = [
    `## ${mark} ${comparisonHead(comparison)}`,
    conditionTable(comparison),
    ...changes.filter((change) => !isOld(change)).map((change) => changeSection(comparison, change)),
  ];
  return `${sections.filter((section) => section !== "").join("\n\n")}\n`;
}

function conditionTable({ conditions }: Comparison): string {
  const differing = conditions.filter(({ differs }) => differs);
  if (differing.length === 0) return "";
  const rows = differing.map(({ name, before, after }) => `| ${name} | ${plain(before)} | ${plain(after)} |`);
  return [
    "The runs were made otherwise, which may explain what follows:",
    "",
    "| | before | after |",
    "| --- | --- | --- |",
    ...rows,
  ].join("\n");
}

function changeSection({ rules }: Comparison, change: Change): string {
  const changed = rules.filter((rule) => rule.change === change);
  if (changed.length === 0) return "";
  const head = `### ${change[0]?.toUpperCase()}${change.slice(1)} (${changed.length})`;
  const { brief = [], told = [] } = Object.groupBy(changed, (rule) => (isBrief(rule) ? "brief" : "told"));
  const items = told
    .slice(0, mostShown)
    .map(
      (rule) =>
        `- ${[`**${rule.id}** ${says(rule.says)}`, ...changeLines(rule).map((line) => code(line))].join("<br>")}`,
    );
  const more = told.length > mostShown ? [`- and ${told.length - mostShown} more`] : [];
  const lists = [[...items, ...more].join("\n"), brief.map(({ id }) => id).join(", ")];
  return [head, ...lists.filter((text) => text !== "")].join("\n\n");
}
