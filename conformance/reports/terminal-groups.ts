import type { ToldFinding } from "../outcome/verdict.ts";
import type { RunResult } from "../runner/run-result.ts";
import type { ToldStory } from "../story/step.ts";
import { knownTexts } from "./baseline-text.ts";
import { classTexts, warningReasons } from "./class-text.ts";
import { counted } from "./counted.ts";
import { curlOf } from "./curl.ts";
import { type FailureGroup, remarkOf } from "./failure-groups.ts";
import type { Paint } from "./paint.ts";
import { printable } from "./printable.ts";
import { replayCommand, storyCommand } from "./replay-command.ts";
import { omittedText, type StoryLine, storyLines, storyLineText } from "./story-lines.ts";
import { operationsText, seenTimes } from "./tally-text.ts";
import { momentLines } from "./terminal-exchange.ts";
import { hintLines } from "./terminal-hints.ts";
import { labelled, padStart, wrapped } from "./text-layout.ts";
import { lastMoments, type Moment, timelineOf, withPointedAt } from "./timeline.ts";

type Lines = readonly string[];

/** How much of a group is told, and which file has the rest; null where none was written. */
export interface Extent {
  readonly extent: "all" | "none";
  readonly resultsFile: string | null;
}

/** Characters of each body that a terminal shows. */
const bodyLimit = 1200;
/** Exchanges of a failure that a terminal shows, and moments of a time line: the last ones, which show the breach. */
const exchangeLimit = 2;
const momentLimit = 4;
/** Rules of a group that are spelled out. */
const ruleLimit = 12;

/** What a check saw, with its evidence or without. */
export function groupSection(
  result: RunResult,
  group: FailureGroup,
  paint: Paint,
  width: number,
  { extent, resultsFile }: Extent,
): Lines {
  const { finding } = group;
  const label = (name: string, text: string): Lines => labelled(`  ${paint.dim(name)}`, printable(text), 13, width);
  const remark = remarkOf(finding);
  const story = extent === "all" ? storyOf(group, resultsFile) : null;
  const seen = seenTimes(group);
  return [
    ...sentenceLines(group, paint, width),
    ...knownTexts(result, group.rules).flatMap((text) => label("known", text)),
    ...classTexts(group.rules).flatMap((text) => label("class", text)),
    ...warningReasons(group.rules).flatMap((text) => label("only warns", text)),
    ...label("check", group.title === null ? finding.check : `${finding.check}: ${group.title}`),
    ...(group.operations.length < 2 ? [] : label("at", operationsText(group))),
    ...(seen === null ? [] : label("seen", seen)),
    ...(finding.expected === null ? [] : label("expected", finding.expected)),
    ...(finding.actual === null ? [] : label("actual", finding.actual)),
    ...hintLines(group, paint, width),
    ...(finding.counterexample === null ? [] : label("with", finding.counterexample.value)),
    ...(remark === "" ? [] : label(group.verdict === "kit_error" ? "error" : "note", remark)),
    ...(extent === "all" ? evidenceLines(finding, paint, width) : []),
    "",
    `  ${paint.dim("replay")}     ${replayCommand(result, finding)}`,
    ...(story === null ? [] : [`  ${paint.dim("script")}     ${story}`]),
  ];
}

/** The command for all that led to a finding, where a single call does not show it. */
function storyOf({ rules, finding }: FailureGroup, resultsFile: string | null): string | null {
  const isOneCall = finding.told === null || finding.told.steps.length <= finding.exchanges.length;
  return isOneCall || resultsFile === null ? null : storyCommand(resultsFile, rules, finding);
}

/** How it came to a finding, and what shows it. */
function evidenceLines(finding: ToldFinding, paint: Paint, width: number): Lines {
  const timeline = timelineOf(finding);
  const last = lastMoments(timeline, finding.deliveries.length > 0 ? momentLimit : exchangeLimit);
  const shown = withPointedAt(timeline, last, finding.at);
  const earlier = timeline.filter((moment) => !shown.includes(moment));
  const asked = shown.findLast((moment) => moment.kind === "exchange")?.exchange;
  return [
    ...storySection(finding, paint, width),
    ...(earlier.length > 0 ? ["", `  ${paint.dim(`(${earlierText(earlier)} in the report)`)}`] : []),
    ...shown.flatMap((moment) => [
      "",
      ...momentLines(timeline, moment, finding.at, paint, bodyLimit).map((line) => `  ${line}`),
    ]),
    ...(asked === undefined
      ? []
      : [
          "",
          ...printable(curlOf(asked.request))
            .split("\n")
            .map((line) => `  ${line}`),
        ]),
  ];
}

/**
 * Lines of a story that a terminal shows: those that made what is shown be there, or else the first ones; those that concern
 * it, and the last ones.
 */
const storyParts = { first: 3, arranging: 4, between: 6, last: 7 };

function storySection({ told, exchanges, at, likely, tally }: ToldFinding, paint: Paint, width: number): Lines {
  const evidence = new Set(exchanges.map(({ number }) => number));
  const lines = told === null ? [] : storyLines(told, evidence);
  // What the evidence shows by itself needs no telling.
  if (told === null || lines.every(({ shown }) => shown)) return [];
  const named = new Set([...namedIn(likely), ...(tally?.steps ?? []), ...failingIn(told, exchanges, at)]);
  const shown = linesShown(lines, named);
  const text = shown.flatMap((line, index) => {
    const before = shown[index - 1];
    const left = lines
      .slice(before === undefined ? 0 : lines.indexOf(before) + 1, lines.indexOf(line))
      .reduce((sum, { times }) => sum + times, 0);
    const said = storyLineText(line).slice(`${line.number}. `.length);
    return [
      ...gapLines(left, paint),
      ...labelled(`  ${padStart(`${line.number}.`, 4)} `, line.shown ? paint.bold(said) : said, 7, width),
    ];
  });
  const end = shown.at(-1);
  const behind = (end === undefined ? [] : lines.slice(lines.indexOf(end) + 1)).reduce(
    (sum, { times }) => sum + times,
    0,
  );
  return [
    "",
    `  ${paint.dim("how it came to this")}`,
    ...text,
    ...gapLines(behind, paint),
    ...omittedLines(told, paint),
  ];
}

const omittedLines = (told: ToldStory, paint: Paint): Lines =>
  told.omitted > 0 ? [`       ${paint.dim(`(${omittedText(told)}, and not counted)`)}`] : [];

const gapLines = (left: number, paint: Paint): Lines =>
  left > 0 ? [`       ${paint.dim(`… ${counted(left, "more step")} in the report`)}`] : [];

/** Numbers of steps that guesses name. */
const namedIn = (likely: ToldFinding["likely"]): ReadonlySet<number> =>
  new Set(likely.flatMap(({ steps = [] }) => steps));

/** Numbers of the steps that show the failure: the last call of the evidence, and those that it points at. */
function failingIn(
  { steps }: ToldStory,
  exchanges: ToldFinding["exchanges"],
  at: ToldFinding["at"],
): readonly number[] {
  const pointed = at.flatMap(({ in: whole }) => (whole?.kind === "exchange" ? [whole.number] : []));
  const failing = new Set([exchanges.at(-1)?.number, ...pointed]);
  return steps.flatMap(({ exchange }, index) => (exchange !== null && failing.has(exchange) ? [index + 1] : []));
}

function linesShown(lines: readonly StoryLine[], named: ReadonlySet<number>): readonly StoryLine[] {
  const { first, arranging, between, last } = storyParts;
  if (lines.length <= first + last) return lines;
  const isNamed = ({ number, times }: StoryLine): boolean =>
    [...named].some((one) => one >= number && one < number + times);
  const end = lines.filter(({ idle, shown }) => shown || !idle).slice(-last);
  const arrange = lines.filter(({ arranges }) => arranges).slice(0, arranging);
  const begin = arrange.length > 0 ? arrange : lines.slice(0, first);
  const middle = lines.filter((line) => !begin.includes(line) && !end.includes(line));
  const concerning = middle.filter(({ concerns }) => concerns).slice(-between);
  return lines.filter(
    (line) => begin.includes(line) || concerning.includes(line) || end.includes(line) || isNamed(line),
  );
}

function earlierText(moments: readonly Moment[]): string {
  const deliveries = moments.filter(({ kind }) => kind === "delivery").length;
  return [
    moments.length === deliveries ? null : counted(moments.length - deliveries, "earlier exchange"),
    deliveries === 0 ? null : counted(deliveries, "earlier delivery", "earlier deliveries"),
  ]
    .filter((part) => part !== null)
    .join(" and ");
}

function sentenceLines({ rules, verdict }: FailureGroup, paint: Paint, width: number): Lines {
  const sentences = rules.slice(0, ruleLimit).flatMap(({ id, rule }) => {
    const lines = wrapped(printable(rule.says), width - id.length - 4);
    const margin = " ".repeat(id.length + 4);
    return lines.map((line, index) =>
      index === 0 ? `${markOf(verdict, paint)} ${paint.bold(id)}  ${line}` : margin + line,
    );
  });
  const more = rules.length - ruleLimit;
  return more > 0 ? [...sentences, `  ${paint.dim(`and ${counted(more, "more rule")}`)}`] : sentences;
}

/** The mark of a verdict. */
export function markOf(verdict: FailureGroup["verdict"], paint: Paint): string {
  switch (verdict) {
    case "fail":
      return paint.red("✗");
    case "warn":
      return paint.yellow("!");
    case "kit_error":
      return paint.red("?");
  }
}
