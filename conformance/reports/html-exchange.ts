import { STATUS_CODES } from "node:http";
import type { Place } from "../evidence/place.ts";
import type { DeliverySeen } from "../exchange/delivery.ts";
import type { Exchange, SentRequest } from "../exchange/exchange.ts";
import { durationText } from "../target/duration.ts";
import { bodyLines, readableBody } from "./body-lines.ts";
import { curlOf } from "./curl.ts";
import type { FailureGroup, Hints } from "./failure-groups.ts";
import { isPlumbing, isTelling } from "./headers.ts";
import { differing, type Marks, marksOf, noMarks, placeText } from "./marks.ts";
import { html, type Markup } from "./markup.ts";
import { printable, printableLine } from "./printable.ts";
import { answerText, directionOf, type Moment, sinceStart } from "./timeline.ts";

export const openWhen = (open: boolean): Markup => (open ? html` open` : html``);

/** Text with a button that copies it. */
export const copyable = (text: string): Markup =>
  html`<div class="copy"><button type="button" hidden>Copy</button><pre>${printable(text)}</pre></div>`;

/** Characters of a body that the page shows. */
const bodyLimit = 20_000;

/** What happened between kit and target, with what the finding points `at` marked. */
export function momentBlock(timeline: readonly Moment[], moment: Moment, at: readonly Place[], open: boolean): Markup {
  const when = timeline.some(({ kind }) => kind === "delivery")
    ? html`<span class="when">${sinceStart(timeline, moment)} ${directionOf(moment)}</span> `
    : html``;
  return moment.kind === "exchange"
    ? exchangeBlock(moment.exchange, marksOf(at, "exchange", moment.exchange.number), when, open)
    : deliveryBlock(moment.delivery, marksOf(at, "delivery", moment.delivery.number), when, open);
}

function deliveryBlock(delivery: DeliverySeen, marks: Marks, when: Markup, open: boolean): Markup {
  const { request, answer, receivedAt } = delivery;
  const took = answer.endedAt === null ? "" : ` after ${durationText(answer.endedAt - receivedAt)}`;
  const what = printableLine(answerText(delivery));
  const rest = request.truncated ? `\n\n(${request.bytes} bytes came; the kit does not have them all)` : "";
  return html`<details class="wire delivery"${openWhen(open)}>
<summary><span class="sentences">${when}<code>${printableLine(request.method)} ${printableLine(request.url)}</code> → ${what}</span></summary>
<div class="body">
<p class="label">Delivery ${delivery.number}</p><pre>${requestText(request, marks)}${rest}</pre>
<p class="label">The receiver's answer${took}: ${what}</p>${answer.body === "" ? null : html`<pre>${readableBody(answer.body, bodyLimit)}</pre>`}
</div></details>
`;
}

function exchangeBlock(exchange: Exchange, marks: Marks, when: Markup, open: boolean): Markup {
  const { request, outcome, number } = exchange;
  const took = durationText(exchange.answeredAt - exchange.sentAt);
  const what = outcome.kind === "lost" ? `no response: ${outcome.reason}` : statusText(outcome.status);
  const answer =
    outcome.kind === "lost"
      ? [html`${printable(outcome.message)}`]
      : parts(outcome.headers, outcome.text, marks, (name) => !isTelling(name)).concat(
          outcome.truncated ? html`(the kit read no further)` : [],
        );
  const label = marks.status === null ? html`${what}` : html`<mark>${what}</mark>${noteText(marks.status.note)}`;
  return html`<details class="wire"${openWhen(open)}>
<summary><span class="sentences">${when}<span class="id">${number}</span><code>${printableLine(request.method)} ${printableLine(request.url)}</code> → ${marks.status === null ? what : html`<mark>${what}</mark>`}</span></summary>
<div class="body">
<p class="label">Request</p><pre>${requestText(request, noMarks)}</pre>
<p class="label">Answer after ${took}: ${label}</p><pre>${apart(answer)}</pre>
<p class="label">As a command</p>${copyable(curlOf(request))}
</div></details>
`;
}

const statusText = (status: number): string => `${status} ${STATUS_CODES[status] ?? ""}`.trim();

const requestText = ({ headers, body }: Pick<SentRequest, "headers" | "body">, marks: Marks): Markup =>
  apart(parts(headers, body ?? "", marks, isPlumbing));

const apart = (all: readonly Markup[]): Markup =>
  html`${all.map((part, index) => (index === 0 ? part : html`\n\n${part}`))}`;

/** Headers with those that say little on one line, and the body; what is empty is no part. */
function parts(
  headers: Readonly<Record<string, string>>,
  body: string,
  marks: Marks,
  saysLittle: (name: string) => boolean,
): readonly Markup[] {
  const named = Object.entries(headers).map(([name, value]) => {
    const mark = marks.headers.get(name.toLowerCase()) ?? null;
    const text = `${printableLine(name)}: ${printableLine(value)}`;
    return { name: name.toLowerCase(), text, mark, minor: mark === null && saysLittle(name.toLowerCase()) };
  });
  const missing = [...marks.headers].filter(([name]) => !named.some((own) => own.name === name));
  const minor = named.filter((own) => own.minor).map(({ text }) => text);
  const lines = [
    ...named
      .filter((own) => !own.minor)
      .map(({ text, mark }) => (mark === null ? html`${text}` : marked(text, mark.note))),
    ...missing.map(([name, { note }]) => marked(`${printableLine(name)}: (missing)`, note)),
    ...(minor.length === 0 ? [] : [html`<span class="minor">${minor.join(" · ")}</span>`]),
  ];
  const shown = bodyLines(body, bodyLimit, marks.members).map(({ text, mark }) =>
    mark === null ? html`${text}` : marked(text === "" ? "(no body)" : text, mark.note),
  );
  return [lines, body === "" && marks.members.length === 0 ? [] : shown].filter((part) => part.length > 0).map(joined);
}

const joined = (lines: readonly Markup[]): Markup =>
  html`${lines.map((line, index) => (index === 0 ? line : html`\n${line}`))}`;

/** The indentation stays outside of what is marked. */
function marked(line: string, note: string): Markup {
  const text = line.trimStart();
  return html`${line.slice(0, line.length - text.length)}<mark>${text}</mark>${noteText(note)}`;
}

const noteText = (note: string): Markup => (note === "" ? html`` : html`<span class="note">  ⟵ ${note}</span>`);

/** How calls like it fared, those that failed first. */
function alikeBlock(rows: FailureGroup["alike"]): Markup | null {
  if (rows.length === 0) return null;
  const items = rows.map(
    ({ holds, says, times }) =>
      html`<li>${holds ? html`<span class="held">held</span>` : html`<span class="failed">failed</span>`} <code>${printableLine(says)}</code>${times === 1 ? null : html` ×${times}`}</li>`,
  );
  return html`<p class="label">Calls like it</p><ul class="alike">${items}</ul>`;
}

/**
 * What helps to see the fault: what is likely wrong, where what came differs from what is admitted, part by part, and a
 * call that went well.
 */
export function hintsBlock({ finding, likely, apart, askedAgain, contrasts, alike }: Hints): Markup {
  const places = differing(finding);
  const contrast = contrasts.length === 0 ? null : contrasts.join("; ");
  const lines = places.map(
    (place) =>
      html`<li><code>${placeText(place)}</code>${place.admitted === null ? null : html`<del>${printableLine(place.admitted)}</del>`}<ins>${place.seen === null ? "(missing)" : printableLine(place.seen)}</ins></li>`,
  );
  return html`${likely.map(({ says }) => html`<p class="likely"><b>Likely:</b> ${printable(says)}</p>`)}${places.length === 0 ? null : html`<p class="label">What differs</p><ul class="differs">${lines}</ul>`}${contrast === null ? null : html`<p><span class="label">In contrast</span> <code>${printable(contrast)}</code></p>`}${alikeBlock(alike)}${apart === null ? null : html`<p><span class="label">Set apart</span> ${printable(apart)}</p>`}${askedAgain.length === 0 ? null : html`<p class="label">Asked again after the check</p><ul>${askedAgain.map((text) => html`<li><code>${printable(text)}</code></li>`)}</ul>`}
`;
}
