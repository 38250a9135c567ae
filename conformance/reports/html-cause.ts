import type { ToldFinding } from "../outcome/verdict.ts";
import { isKnown, type RunResult } from "../runner/run-result.ts";
import { atOnceText } from "./at-once-text.ts";
import { knownTexts } from "./baseline-text.ts";
import type { Cause } from "./cause-of.ts";
import { followsText, sightText } from "./cause-text.ts";
import { amongText, citedSteps } from "./cited-steps.ts";
import { classTexts, warningReasons } from "./class-text.ts";
import { counted } from "./counted.ts";
import { type FailureGroup, remarkOf } from "./failure-groups.ts";
import { heldTexts } from "./held-text.ts";
import { copyable, hintsBlock, momentBlock, openWhen } from "./html-exchange.ts";
import { html, type Markup } from "./markup.ts";
import { printable } from "./printable.ts";
import { replayCommand } from "./replay-command.ts";
import { areaOf } from "./rule-counts.ts";
import { omittedText, storyLines, timesText } from "./story-lines.ts";
import { operationsText, seenTimes } from "./tally-text.ts";
import { timelineOf, withPointedAt } from "./timeline.ts";
import { verdictNames } from "./verdict-names.ts";

/** How much of its evidence a card shows: all of it, what shows the failure last, or none. */
export const evidenceExtents = ["all", "last", "none"] as const;
type EvidenceExtent = (typeof evidenceExtents)[number];

/** One cause with its evidence, and folded beneath it what seems to follow; violations stand open. */
export function causeCard(result: RunResult, cause: Cause, anchor: string, extent: EvidenceExtent): Markup {
  const { verdict, isLeak, primary, consequences, rules } = cause;
  const areas = [...new Set(rules.map((r) => areaOf(r.id)))].join(" ");
  const leak = isLeak ? html`<span class="badge">possible leak</span>` : html``;
  const follows =
    consequences.length === 0
      ? html``
      : html`<details class="follows"><summary>${followsText(cause)}</summary><ul>${consequences.map(consequence)}</ul></details>
`;
  return html`<details class="cause ${verdict}" id="${anchor}" data-areas="${areas}"${openWhen(verdict === "fail" && !rules.every((rule) => isKnown(result, rule)))}>
<summary><span class="badge">${verdictNames[verdict]}</span>${leak}<span class="sentences">${primary.rules.map(
    ({ id, rule }) => html`<span class="sentence"><span class="id">${id}</span>${sentence(rule.says)}</span>`,
  )}</span></summary>
<div class="body">${evidence(result, primary, extent)}${follows}<p class="label"><a href="#${anchor}">Link to this finding</a></p></div></details>
`;
}

/** What seems to follow, in a line with its rules. */
const consequence = (group: FailureGroup): Markup =>
  html`<li class="${group.verdict}"><span class="badge">${verdictNames[group.verdict]}</span> ${group.rules.map(({ id }) => html`<a href="#${id}">${id}</a> `)}<code>${printable(sightText(group))}</code></li>`;

/** What a check saw. */
function evidence(result: RunResult, group: FailureGroup, extent: EvidenceExtent): Markup {
  const { verdict, title, rules, finding, operations } = group;
  if (extent === "none") return html`<p>The page has no room for the evidence; results.json has it.</p>`;
  const remark = remarkOf(finding);
  const timeline = timelineOf(finding);
  const last = timeline.slice(finding.deliveries.length > 0 ? -2 : -1);
  const open = withPointedAt(timeline, last, finding.at);
  const shown = extent === "all" ? timeline : open;
  const atOnce = atOnceText(finding);
  return html`<dl>
${knownTexts(result, rules).map((text) => html`<dt>Known</dt><dd>${printable(text)}</dd>`)}${classTexts(rules).map((text) => html`<dt>Class</dt><dd>${sentence(printable(text))}</dd>`)}${warningReasons(rules).map((text) => html`<dt>Only warns</dt><dd>${printable(text)}</dd>`)}<dt>Check</dt><dd><code>${finding.check}</code>${title === null ? null : `: ${title}`}</dd>
${row("At", operations.length < 2 ? null : operationsText(group))}${row("Seen", seenTimes(group))}${row("Expected", finding.expected)}${row("Actual", finding.actual)}${heldTexts(result, group).map((text) => html`<dt>Held</dt><dd>${printable(text)}</dd>`)}${row("With", group.counterexample)}${row(verdict === "kit_error" ? "Error" : "Note", remark === "" ? null : remark)}
</dl>
${hintsBlock(group)}${extent === "all" ? storyBlock(finding) : null}${shown.map((moment) => momentBlock(timeline, moment, finding.at, open.includes(moment)))}${extent === "all" ? null : html`<p>The page has no room for the rest of the evidence; results.json has it.</p>`}
${atOnce === null ? null : html`<p>${atOnce}.</p>`}<p class="label">Run the check again</p>${copyable(replayCommand(result, finding))}
`;
}

/** The steps that led there; nothing where the evidence shows all of them. */
function storyBlock(finding: ToldFinding): Markup {
  const { told, exchanges } = finding;
  const lines = told === null ? [] : storyLines(told, new Set(exchanges.map(({ number }) => number)));
  if (told === null || lines.every(({ shown }) => shown)) return html``;
  const left = omittedText(told);
  const cited = citedSteps(finding);
  return html`<details class="story"${openWhen(lines.length <= mostOpenSteps)}>
<summary>How it came to this: ${counted(told.steps.length + told.omitted, "step")}</summary>
<ol>${lines.map(
    (line) =>
      html`<li value="${line.number}"${line.shown ? html` class="evidence"` : html``}><code>${line.asked}</code>${line.came === "" ? null : html` → ${line.came}`}${line.numbers.length === 1 ? null : html`<b>${timesText(line)}</b>`}${line.atOnce ? " (at once)" : null}${amongText(line, cited)}</li>`,
  )}</ol>${left === "" ? null : html`<p class="label">${left}</p>`}
</details>
`;
}

/** A story with more lines than these is folded. */
const mostOpenSteps = 12;

/** The anchor of each cause, by what it is about, so that it is the same in the next run; repeats are numbered. */
export function anchorsOf(causes: readonly Cause[]): ReadonlyMap<Cause, string> {
  const named = Map.groupBy(
    causes,
    ({ primary: { rules, finding, verdict } }) => `${verdict}-${finding.check}-${rules[0]?.id ?? ""}`,
  );
  return new Map(
    [...named].flatMap(([name, same]) =>
      same.map((cause, index) => [cause, index === 0 ? name : `${name}-${index + 1}`] as const),
    ),
  );
}

/** A sentence of the contract; what stands in backticks is code. */
export const sentence = (says: string): readonly Markup[] =>
  says.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));

const row = (name: string, text: string | null): Markup =>
  text === null ? html`` : html`<dt>${name}</dt><dd><code>${printable(text)}</code></dd>`;
