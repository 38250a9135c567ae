import type { Json } from "../../compiler/contract.ts";
import type { Evidence } from "../../compiler/diff/change.ts";
import { valueAt } from "../../compiler/diff/json-at.ts";
import { readableBody } from "../../conformance/reports/body-lines.ts";
import { counted } from "../../conformance/reports/counted.ts";
import { html, type Markup } from "../../conformance/reports/markup.ts";
import { printable, printableLine } from "../../conformance/reports/printable.ts";
import { acceptanceText, type FailOn, isFailing, linesText, overrideText, placeText } from "./diff-report.ts";
import { type Consequence, consequencesOf, type Finding, reachOf } from "./finding.ts";
import { isAccepted, type JudgedChange, whoSees } from "./judged-change.ts";

/** What follows from one edit, with all that is known of it; what fails stands open. */
export function findingCard(finding: Finding, failOn: FailOn): Markup {
  const { shown: change, verdict } = finding;
  const { id, area, message, pointer, rules, checks, evidence } = change;
  const accepted = isAccepted(change);
  const state = accepted ? "accepted" : "";
  const consequences = consequencesOf(finding);
  return html`<details class="cause change ${verdict}" data-verdict="${verdict}" data-state="${state}" data-area="${area}"${isFailing(change, failOn) ? html` open` : null}>
<summary><span class="badge">${verdict}</span>${accepted ? html`<span class="badge accepted">accepted</span>` : null}${change.override === null ? null : html`<span class="badge overridden">overridden</span>`}<span class="sentences"><span class="sentence">${printable(message)}</span></span></summary>
<div class="body">${evidence === null ? null : evidenceBlock(evidence)}${linesBlock(change)}
${consequences.length === 0 ? null : html`<p class="label">What else follows from it</p><ul class="plain">${consequences.map(consequenceItem)}</ul>`}
${reachOf(finding).map(({ count, names }) => fold(`reaches ${count}`, names))}
${fold("rules", rules)}${fold("checks", checks ?? [])}
<dl>${row("Verdict", overrideText(change))}${row("Acceptance", acceptanceText(change))}
${row("Who sees it", whoSees(change))}
${codeRow("Id", id)}${codeRow("Pointer", pointer)}${codeRow("Place", placeText(change))}</dl></div></details>
`;
}

/** The document's lines before and after. */
function linesBlock(change: JudgedChange): Markup {
  const lines = linesText(change);
  return lines.length === 0 ? html`` : html`<pre class="lines">${printable(lines.join("\n"))}</pre>`;
}

/** One kind of consequence; where it shows at several places, they fold. */
function consequenceItem({ verdict, changes }: Consequence): Markup {
  const [first, ...more] = changes;
  if (first === undefined) return html``;
  const rest = more.map(({ message, pointer }) => `${message} (${pointer})`);
  return html`<li><span class="badge ${verdict}">${verdict}</span> ${printable(first.message)}${fold(`${counted(more.length, "more place")}`, rest)}</li>`;
}

/** A list behind its number; nothing where it is empty. */
const fold = (heading: string, items: readonly string[]): Markup =>
  items.length === 0
    ? html``
    : html`<details class="fold"><summary>${/\d/.test(heading) ? heading : counted(items.length, heading.replace(/s$/, ""))}</summary><ul class="plain">${items.map((item) => html`<li>${printableLine(item)}</li>`)}</ul></details>`;

const row = (name: string, text: string | null): Markup =>
  text === null ? html`` : html`<dt>${name}</dt><dd>${printable(text)}</dd>`;

const codeRow = (name: string, text: string | null): Markup =>
  text === null ? html`` : html`<dt>${name}</dt><dd><code>${printableLine(text)}</code></dd>`;

/** Characters of a value that the page shows. */
const valueLimit = 20_000;

const shown = (value: Json): string => readableBody(JSON.stringify(value), valueLimit);

/** The value on both sides: whole where it is valid, the refused part where it is not. */
function evidenceBlock(evidence: Evidence): Markup {
  if (evidence.kind === "unproven") return html`<p class="label">No value is shown: ${printable(evidence.why)}</p>`;
  const { value, refusedBy, at, keyword } = evidence;
  const whole = html`<pre>${shown(value)}</pre>`;
  const part = valueAt(value, at);
  const why = html`<p>Refused by <code>${keyword}</code>${at === "" ? null : html` at <code>${printableLine(at)}</code>`}.</p>${part === undefined || at === "" ? null : html`<pre>${shown(part)}</pre>`}`;
  const panel = (side: "base" | "head"): Markup =>
    refusedBy === side
      ? html`<div class="side refused"><h3>✘ refused in ${side}</h3>${at === "" ? whole : null}${why}</div>`
      : html`<div class="side valid"><h3>✔ valid in ${side}</h3>${whole}</div>`;
  return html`<p class="label">One value, both sides</p><div class="sides">${panel("base")}${panel("head")}</div>`;
}
