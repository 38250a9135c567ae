import { abstracted } from "../evidence/abstracted.ts";
import type { RunResult } from "../runner/run-result.ts";
import type { Cause } from "./cause-of.ts";
import { causesHead, followsText, isBesides, kindText, lineOf, sightText } from "./cause-text.ts";
import { causesOf } from "./causes.ts";
import { counted } from "./counted.ts";
import type { FailureGroup } from "./failure-groups.ts";
import type { Paint } from "./paint.ts";
import { printable } from "./printable.ts";
import { groupSection, markOf } from "./terminal-groups.ts";
import { labelled, padStart } from "./text-layout.ts";

type Lines = readonly string[];

/** Causes that stand in the list, those that are shown at length, and what is told of each that follows from it. */
const listLimit = 20;
const causeLimit = 10;
const consequenceLimit = 6;

/** Every cause: a line for each of them, and the first ones at length with their evidence. */
export function causeSections(
  result: RunResult,
  paint: Paint,
  width: number,
  resultsFile: string | null,
): readonly Lines[] {
  const causes = causesOf(result);
  if (causes.length === 0) return [];
  const sections = causes.slice(0, causeLimit).flatMap((cause, index) => {
    const number = causes.length > 1 ? `${index + 1}. ` : "";
    const head = paint.bold(number + kindText(cause));
    const extent = isBesides(causes)(cause) ? "none" : "all";
    return [
      [head, ...groupSection(result, cause.primary, paint, width, { extent, resultsFile })],
      consequenceLines(cause, paint, width),
    ];
  });
  const rest = causes.length > causeLimit ? [[paint.dim("The evidence of the others is in the report.")]] : [];
  return [[paint.bold(causesHead(causes)), ...listLines(causes, paint, width)], ...sections, ...rest];
}

/** A line for each of several causes; a single one needs none. */
function listLines(causes: readonly Cause[], paint: Paint, width: number): Lines {
  if (causes.length === 1) return [];
  const column = String(Math.min(causes.length, listLimit)).length;
  const lines = causes.slice(0, listLimit).flatMap((cause, index) => {
    const label = `  ${padStart(String(index + 1), column)} ${markOf(cause.verdict, paint)} `;
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
