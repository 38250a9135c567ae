import { STATUS_CODES } from "node:http";
import type { DeliverySeen } from "../exchange/delivery.ts";
import type { Exchange, SentRequest } from "../exchange/exchange.ts";
import type { ToldFinding } from "../outcome/verdict.ts";
import type { RunResult } from "../runner/run-result.ts";
import { durationText } from "../target/duration.ts";
import { classTexts } from "./class-text.ts";
import { counted } from "./counted.ts";
import { curlOf } from "./curl.ts";
import { type FailureGroup, remarkOf } from "./failure-groups.ts";
import { html, type Markup } from "./markup.ts";
import { printable, printableLine, readableBody } from "./printable.ts";
import { replayCommand } from "./replay-command.ts";
import { areaOf } from "./rule-counts.ts";
import { omittedText, storyLines } from "./story-lines.ts";
import { answerText, directionOf, type Moment, sinceStart, timelineOf } from "./timeline.ts";
import { verdictNames } from "./verdict-names.ts";

/** One cause of breaches with its evidence; violations stand open. */
export function causeCard(result: RunResult, group: FailureGroup): Markup {
  const { verdict, check, title, rules, finding } = group;
  const remark = remarkOf(finding);
  const timeline = timelineOf(finding);
  const areas = [...new Set(rules.map((r) => areaOf(r.id)))].join(" ");
  return html`<details class="cause ${verdict}" id="${causeId(group)}" data-verdict="${verdict}" data-areas="${areas}"${openWhen(verdict === "fail")}>
<summary><span class="badge">${verdictNames[verdict]}</span><span class="sentences">${rules.map(
    ({ id, rule }) => html`<span class="sentence"><span class="id">${id}</span>${sentence(rule.says)}</span>`,
  )}</span></summary>
<div class="body"><dl>
${classTexts(rules).map((text) => html`<dt>Class</dt><dd>${sentence(printable(text))}</dd>`)}<dt>Check</dt><dd><code>${check}</code>${title === null ? null : `: ${title}`}</dd>
${row("At", group.operations.length < 2 ? null : group.operations.join(", "))}${row("Expected", finding.expected)}${row("Actual", finding.actual)}${row("With", finding.counterexample?.value ?? null)}${row(verdict === "kit_error" ? "Error" : "Note", remark === "" ? null : remark)}
</dl>
${storyBlock(finding)}${timeline.map((moment, index) => momentBlock(timeline, moment, isShown(timeline, index)))}
<p class="label">Run the check again</p>${copyable(replayCommand(result, finding))}
</div></details>
`;
}

/** The steps that led there; nothing where the evidence shows all of them. */
function storyBlock({ told, exchanges }: ToldFinding): Markup {
  const lines = told === null ? [] : storyLines(told, new Set(exchanges.map(({ number }) => number)));
  if (told === null || lines.every(({ shown }) => shown)) return html``;
  const left = omittedText(told);
  return html`<details class="story"${openWhen(lines.length <= mostOpenSteps)}>
<summary>How it came to this: ${counted(told.steps.length + told.omitted, "step")}</summary>
<ol>${lines.map(
    ({ number, asked, came, times, shown }) =>
      html`<li value="${number}"${shown ? html` class="evidence"` : html``}><code>${asked}</code>${came === "" ? null : html` → ${came}`}${times === 1 ? null : html` <b>×${times}</b>`}</li>`,
  )}</ol>${left === "" ? null : html`<p class="label">${left}</p>`}
</details>
`;
}

/** A story with more lines than these is folded. */
const mostOpenSteps = 12;

/** Anchor of a cause. */
export const causeId = ({ rules, finding, verdict }: FailureGroup): string =>
  `${verdict}-${finding.check}-${rules[0]?.id ?? ""}`;

/** A sentence of the contract; what stands in backticks is code. */
export const sentence = (says: string): readonly Markup[] =>
  says.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));

const openWhen = (open: boolean): Markup => (open ? html` open` : html``);

const row = (name: string, text: string | null): Markup =>
  text === null ? html`` : html`<dt>${name}</dt><dd><code>${printable(text)}</code></dd>`;

const copyable = (text: string): Markup =>
  html`<div class="copy"><button type="button" hidden>Copy</button><pre>${printable(text)}</pre></div>`;

/** Characters of a body that the page shows. */
const bodyLimit = 20_000;

/** The last exchange stands open; on a time line its last two moments do. */
const isShown = (timeline: readonly Moment[], index: number): boolean =>
  index >= timeline.length - (timeline.some(({ kind }) => kind === "delivery") ? 2 : 1);

function momentBlock(timeline: readonly Moment[], moment: Moment, open: boolean): Markup {
  const when = timeline.some(({ kind }) => kind === "delivery")
    ? html`<span class="when">${sinceStart(timeline, moment)} ${directionOf(moment)}</span> `
    : html``;
  return moment.kind === "exchange"
    ? exchangeBlock(moment.exchange, when, open)
    : deliveryBlock(moment.delivery, when, open);
}

function deliveryBlock(delivery: DeliverySeen, when: Markup, open: boolean): Markup {
  const { request, answer, receivedAt } = delivery;
  const took = answer.endedAt === null ? "" : ` after ${durationText(answer.endedAt - receivedAt)}`;
  const what = printableLine(answerText(delivery));
  const rest = request.truncated ? `\n\n(${request.bytes} bytes came; the kit does not have them all)` : "";
  return html`<details class="wire delivery"${openWhen(open)}>
<summary><span class="sentences">${when}<code>${printableLine(request.method)} ${printableLine(request.url)}</code> → ${what}</span></summary>
<div class="body">
<p class="label">Delivery ${delivery.number}</p><pre>${requestText(request)}${rest}</pre>
<p class="label">The receiver's answer${took}: ${what}</p>${answer.body === "" ? null : html`<pre>${readableBody(answer.body, bodyLimit)}</pre>`}
</div></details>
`;
}

function exchangeBlock(exchange: Exchange, when: Markup, open: boolean): Markup {
  const { request, outcome, number } = exchange;
  const took = durationText(exchange.answeredAt - exchange.sentAt);
  const what = outcome.kind === "lost" ? `no response: ${outcome.reason}` : statusText(outcome.status);
  const answer =
    outcome.kind === "lost"
      ? printable(outcome.message)
      : [headerText(outcome.headers), outcome.text === "" ? null : readableBody(outcome.text, bodyLimit)]
          .concat(outcome.truncated ? "(the kit read no further)" : null)
          .filter((part) => part !== null)
          .join("\n\n");
  return html`<details class="wire"${openWhen(open)}>
<summary><span class="sentences">${when}<span class="id">${number}</span><code>${printableLine(request.method)} ${printableLine(request.url)}</code> → ${what}</span></summary>
<div class="body">
<p class="label">Request</p><pre>${requestText(request)}</pre>
<p class="label">Answer after ${took}: ${what}</p><pre>${answer}</pre>
<p class="label">As a command</p>${copyable(curlOf(request))}
</div></details>
`;
}

const statusText = (status: number): string => `${status} ${STATUS_CODES[status] ?? ""}`.trim();

const requestText = ({ headers, body }: Pick<SentRequest, "headers" | "body">): string =>
  [headerText(headers), body === null || body === "" ? null : readableBody(body, bodyLimit)]
    .filter((part) => part !== null)
    .join("\n\n");

const headerText = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${printableLine(name)}: ${printableLine(value)}`)
    .join("\n");
