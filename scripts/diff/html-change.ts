import type { Json } from "../../compiler/contract.ts";
import type { Evidence } from "../../compiler/diff/change.ts";
import { valueAt } from "../../compiler/diff/json-at.ts";
import { html, type Markup } from "../../conformance/reports/markup.ts";
import { printable, printableLine, readableBody } from "../../conformance/reports/printable.ts";
import { acceptanceText, type FailOn, isFailing, overrideText, placeText } from "./diff-report.ts";
import { isAccepted, type JudgedChange } from "./judged-change.ts";

/** One change with all that is known of it; what fails stands open. */
export function changeCard(change: JudgedChange, failOn: FailOn): Markup {
  const { id, verdict, area, direction, message, pointer, rules, checks, evidence } = change;
  const accepted = isAccepted(change);
  const state = accepted ? "accepted" : "";
  return html`<details class="cause change ${verdict}" data-verdict="${verdict}" data-state="${state}" data-area="${area}"${isFailing(change, failOn) ? html` open` : null}>
<summary><span class="badge">${verdict}</span>${accepted ? html`<span class="badge accepted">accepted</span>` : null}${change.override === null ? null : html`<span class="badge overridden">overridden</span>`}<span class="sentences"><span class="sentence"><span class="id">${id}</span>${printable(message)}</span></span></summary>
<div class="body"><dl>
${row("Verdict", overrideText(change))}${row("Acceptance", acceptanceText(change))}
${row("Who sees it", `${direction === "neutral" ? "neither side on the wire" : `the ${direction}`}; area: ${area}`)}
${codeRow("Pointer", pointer)}${codeRow("Place", placeText(change))}
${row("Rules", rules.length === 0 ? null : rules.join(", "))}${row("Checks", checks === null || checks.length === 0 ? null : checks.join(", "))}
</dl>${evidence === null ? null : evidenceBlock(evidence)}</div></details>
`;
}

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
