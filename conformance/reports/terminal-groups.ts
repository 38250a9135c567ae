import type { SentRequest } from "../exchange/exchange.ts";
import type { ToldFinding } from "../outcome/verdict.ts";
import type { RunResult } from "../runner/run-result.ts";
import { atOnceText, callsAtOnce } from "./at-once-text.ts";
import { knownTexts } from "./baseline-text.ts";
import { classTexts, warningReasons } from "./class-text.ts";
import { counted } from "./counted.ts";
import { curlOf } from "./curl.ts";
import { type FailureGroup, remarkOf } from "./failure-groups.ts";
import { heldTexts } from "./held-text.ts";
import type { Paint } from "./paint.ts";
import { printable } from "./printable.ts";
import { replayCommand, storyCommand } from "./replay-command.ts";
import { operationsText, seenTimes } from "./tally-text.ts";
import { momentLines } from "./terminal-exchange.ts";
import { hintLines } from "./terminal-hints.ts";
import { storySection } from "./terminal-story.ts";
import { labelled, wrapped } from "./text-layout.ts";
import { failingFirst, isPointedAt, lastMoments, type Moment, timelineOf } from "./timeline.ts";

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
    ...(extent === "all" ? heldTexts(result, group) : []).flatMap((text, index) =>
      label(index === 0 ? "held" : "", text),
    ),
    ...(group.counterexample === null ? [] : label("with", group.counterexample)),
    ...(remark === "" ? [] : label(group.verdict === "kit_error" ? "error" : "note", remark)),
    ...(extent === "all" ? evidenceLines(finding, paint, width) : []),
    "",
    `  ${paint.dim("replay")}     ${replayCommand(result, finding)}`,
    ...(story === null ? [] : [`  ${paint.dim("script")}     ${story}`]),
  ];
}

/** The command for all that led to a finding, where a single call does not show it. */
function storyOf({ rules, finding }: FailureGroup, resultsFile: string | null): string | null {
  const { told, exchanges } = finding;
  const isWhole = told === null || (told.steps.length <= exchanges.length && callsAtOnce(finding) === 0);
  return isWhole || resultsFile === null ? null : storyCommand(resultsFile, rules, finding);
}

/** How it came to a finding, and what shows it. */
function evidenceLines(finding: ToldFinding, paint: Paint, width: number): Lines {
  const timeline = timelineOf(finding);
  const last = lastMoments(timeline, finding.deliveries.length > 0 ? momentLimit : exchangeLimit);
  const shown = failingFirst(timeline, last, finding.at);
  const earlier = timeline.filter((moment) => !shown.includes(moment));
  // What a delivery shows, no call shows again.
  const calls = shown[0]?.kind === "delivery" ? [] : shown.filter(({ kind }) => kind === "exchange");
  const asked = calls.findLast((moment) => isPointedAt(moment, finding.at)) ?? calls.at(-1);
  const story = storySection(finding, paint, width);
  // What never came shows in no call, and those before it were answered well.
  if (finding.isSilence === true && story.length > 0) return story;
  return [
    ...story,
    ...(earlier.length > 0 ? ["", `  ${paint.dim(`(${earlierText(earlier)} in the report)`)}`] : []),
    ...shown.flatMap((moment) => [
      "",
      ...momentLines(timeline, moment, finding.at, paint, bodyLimit).map((line) => `  ${line}`),
    ]),
    ...(asked?.kind !== "exchange" ? [] : ["", ...commandLines(finding, asked.exchange.request, paint, width)]),
  ];
}

/** The call that shows it as a command, or that none shows it again. */
function commandLines(finding: ToldFinding, request: SentRequest, paint: Paint, width: number): Lines {
  const atOnce = atOnceText(finding);
  const lines =
    atOnce === null ? printable(curlOf(request)).split("\n") : wrapped(`(${atOnce})`, width - 2).map(paint.dim);
  return lines.map((line) => `  ${line}`);
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
