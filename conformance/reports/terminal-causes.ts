import { abstracted } from "../evidence/abstracted.ts";
import type { RunResult } from "../runner/run-result.ts";
import type { Cause } from "./cause-of.ts";
import { causesHead, followsText, isBesides, kindText, lineOf, sightText } from "./cause-text.ts";
import { counted } from "./counted.ts";
import type { FailureGroup } from "./failure-groups.ts";
import { type FoldedWarnings, firstWarnings, reportedCauses, warningLine, warningsHead } from "./folded-warnings.ts";
import type { Paint } from "./paint.ts";
import { printable, printableLine } from "./printable.ts";
import { groupSection, markOf } from "./terminal-groups.ts";
import { labelled, padStart } from "./text-layout.ts";

type Lines = readonly string[];

/** Causes that stand in the list, those that are shown at length, and what is told of each that follows from it. */
const listLimit = 20;
const causeLimit = 10;
const consequenceLimit = 6;

/** Files of the reports; null for a report that was not written. */
export interface ReportFiles {
  readonly results: string | null;
  readonly page: string | null;
}

/** Every cause: a line for each of them, and the first ones at length with their evidence. Warnings come once. */
export function causeSections(result: RunResult, paint: Paint, width: number, files: ReportFiles): readonly Lines[] {
  const { causes, warnings } = reportedCauses(result);
  if (causes.length === 0) return [];
  const numbered = causes.map((cause, index) => ({ cause, number: index + 1 }));
  // A warning with a card needs no line in the list.
  const isListed = ({ cause: { verdict } }: Numbered): boolean => verdict !== "warn";
  const overview = numbered.filter(isListed);
  const sections = causes.slice(0, causeLimit).flatMap((cause, index) => {
    const number = causes.length > 1 ? `${index + 1}. ` : "";
    const head = paint.bold(number + kindText(cause));
    const extent = isBesides(causes)(cause) ? "none" : "all";
    return [
      [head, ...groupSection(result, cause.primary, paint, width, { extent, resultsFile: files.results })],
      consequenceLines(cause, paint, width),
    ];
  });
  const rest = numbered.slice(causeLimit);
  const note = rest.length > 0 ? [paint.dim("The evidence of the others is in the report.")] : [];
  const others = rest.filter((entry) => !isListed(entry));
  return [
    [paint.bold(causesHead(causes)), ...(overview.length < 2 ? [] : listLines(overview, paint, width))],
    ...sections,
    [...listLines(others, paint, width), ...note],
    ...(warnings === null || warnings.entries.length === 0 ? [] : [warningLines(warnings, paint, width, files.page)]),
  ];
}

/** Violations come with their evidence, and each warning is one line. */
function warningLines(warnings: FoldedWarnings, paint: Paint, width: number, page: string | null): Lines {
  const { shown, others } = firstWarnings(warnings);
  const lines = shown.map((entry) => {
    const { label, text } = warningLine(entry);
    return `  ${markOf("warn", paint)} ${paint.bold(label)} ${clipped(printableLine(text), width - label.length - 5)}`;
  });
  const more = `${counted(others, "more warning")} in ${page ?? "the report"}`;
  return [paint.bold(warningsHead(warnings)), ...lines, ...(others === 0 ? [] : [`  ${paint.dim(more)}`])];
}

const clipped = (text: string, width: number): string => {
  const characters = [...text];
  return characters.length > width ? `${characters.slice(0, width - 1).join("")}…` : text;
};

/** A cause with its number in the report. */
interface Numbered {
  readonly cause: Cause;
  readonly number: number;
}

/** A line for each cause. */
function listLines(causes: readonly Numbered[], paint: Paint, width: number): Lines {
  const column = String(causes[Math.min(causes.length, listLimit) - 1]?.number ?? 0).length;
  const lines = causes.slice(0, listLimit).flatMap(({ cause, number }) => {
    const label = `  ${padStart(String(number), column)} ${markOf(cause.verdict, paint)} `;
    const likely = cause.primary.likely.map(({ says }) => `\nlikely: ${says}`).join("");
    return labelled(label, printable(lineOf(cause) + likely), column + 5, width);
  });
  const more = causes.length - listLimit;
  return more > 0 ? [...lines, `  ${paint.dim(`and ${counted(more, "more cause")} in the report`)}`] : lines;
}

function consequenceLines(cause: Cause, paint: Paint, width: number): Lines {
  // What differs by ids and figures alone is told once, and by figures in what a server says.
  const kindOf = (group: FailureGroup): string =>
    abstracted(sightText(group)).replace(/"[^"]*"/g, (quoted) => quoted.replace(/\d+/g, "·"));
  const alike = [...Map.groupBy(cause.consequences, kindOf).values()];
  const more = alike.length - consequenceLimit;
  if (alike.length === 0) return [];
  return [
    `  ${paint.dim(followsText(cause))}`,
    ...alike
      .slice(0, consequenceLimit)
      .flatMap(([group, ...others]) =>
        group === undefined
          ? []
          : labelled(
              `  ${markOf(group.verdict, paint)} `,
              printable(`${sightText(group)}${others.length === 0 ? "" : `, and ${others.length} more of the kind`}`),
              4,
              width,
            ),
      ),
    ...(more > 0 ? [`  ${paint.dim(`and ${more} more in the report`)}`] : []),
  ];
}
