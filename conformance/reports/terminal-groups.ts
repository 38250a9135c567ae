import type { ToldFinding } from "../outcome/verdict.ts";
import type { RunResult } from "../runner/run-result.ts";
import { knownTexts } from "./baseline-text.ts";
import { classTexts } from "./class-text.ts";
import { counted } from "./counted.ts";
import { curlOf } from "./curl.ts";
import { type FailureGroup, remarkOf } from "./failure-groups.ts";
import type { Paint } from "./paint.ts";
import { printable } from "./printable.ts";
import { replayCommand } from "./replay-command.ts";
import { storyLines, storyLineText } from "./story-lines.ts";
import { momentLines } from "./terminal-exchange.ts";
import { hintLines } from "./terminal-hints.ts";
import { labelled, padStart, wrapped } from "./text-layout.ts";
import { lastMoments, type Moment, timelineOf, withPointedAt } from "./timeline.ts";

type Lines = readonly string[];

/** Characters of each body that a terminal shows. */
const bodyLimit = 1200;
/** Exchanges of a failure that a terminal shows, and moments of a time line: the last ones, which show the breach. */
const exchangeLimit = 2;
const momentLimit = 4;
/** Rules of a group that are spelled out. */
const ruleLimit = 12;

/** What a check saw, with its evidence. */
export function groupSection(result: RunResult, group: FailureGroup, paint: Paint, width: number): Lines {
  const { finding } = group;
  const label = (name: string, text: string): Lines => labelled(`  ${paint.dim(name)}`, printable(text), 13, width);
  const timeline = timelineOf(finding);
  const last = lastMoments(timeline, finding.deliveries.length > 0 ? momentLimit : exchangeLimit);
  const shown = withPointedAt(timeline, last, finding.at);
  const earlier = timeline.filter((moment) => !shown.includes(moment));
  const remark = remarkOf(finding);
  const asked = shown.findLast((moment) => moment.kind === "exchange")?.exchange;
  return [
    ...sentenceLines(group, paint, width),
    ...knownTexts(result, group.rules).flatMap((text) => label("known", text)),
    ...classTexts(group.rules).flatMap((text) => label("class", text)),
    ...label("check", group.title === null ? finding.check : `${finding.check}: ${group.title}`),
    ...(group.operations.length < 2 ? [] : label("at", group.operations.join(", "))),
    ...(group.times < 2 ? [] : label("seen", `${group.times} times`)),
    ...(finding.expected === null ? [] : label("expected", finding.expected)),
    ...(finding.actual === null ? [] : label("actual", finding.actual)),
    ...hintLines(finding, paint, width),
    ...(finding.counterexample === null ? [] : label("with", finding.counterexample.value)),
    ...(remark === "" ? [] : label(group.verdict === "kit_error" ? "error" : "note", remark)),
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
    "",
    `  ${paint.dim("replay")}     ${replayCommand(result, finding)}`,
  ];
}

/** Lines of a story that a terminal shows: the first ones, which arrange, those that concern what is shown, and the last ones. */
const storyEnds = { first: 3, between: 6, last: 7 };

function storySection({ told, exchanges }: ToldFinding, paint: Paint, width: number): Lines {
  const evidence = new Set(exchanges.map(({ number }) => number));
  const lines = told === null ? [] : storyLines(told, evidence);
  // What the evidence shows by itself needs no telling.
  if (told === null || lines.every(({ shown }) => shown)) return [];
  const { first, last, between } = storyEnds;
  const middle = lines.length > first + last ? lines.slice(first, -last) : [];
  const kept = middle.filter(({ concerns }) => concerns).slice(-between);
  const left = middle.reduce((sum, line) => sum + (kept.includes(line) ? 0 : line.times), told.omitted);
  const text = (some: typeof lines): Lines =>
    some.flatMap((line) => {
      const { number, shown } = line;
      const said = storyLineText(line).slice(`${number}. `.length);
      return labelled(`  ${padStart(`${number}.`, 4)} `, shown ? paint.bold(said) : said, 7, width);
    });
  const isCut = middle.length > 0;
  return [
    "",
    `  ${paint.dim("how it came to this")}`,
    ...text(isCut ? lines.slice(0, first) : lines),
    ...(left > 0 ? [`       ${paint.dim(`… ${counted(left, "more step")} in the report`)}`] : []),
    ...text(isCut ? [...kept, ...lines.slice(-last)] : []),
  ];
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
