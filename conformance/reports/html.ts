import { createHash } from "node:crypto";
import { leftBehindText } from "../provision/left-behind.ts";
import type { RunResult } from "../runner/run-result.ts";
import { durationText } from "../target/duration.ts";
import { baselineHead, baselineLines } from "./baseline-text.ts";
import type { Cause } from "./cause-of.ts";
import { causesHead, lineOf } from "./cause-text.ts";
import { counted } from "./counted.ts";
import { type FoldedWarnings, reportedCauses, warningsHead } from "./folded-warnings.ts";
import { furtherHead, headlineOf, profileNames } from "./headline.ts";
import { anchorsOf, causeCard, evidenceExtents } from "./html-cause.ts";
import { ruleSections } from "./html-rules.ts";
import { htmlScript } from "./html-script.ts";
import { htmlStyle } from "./html-style.ts";
import { html, type Markup, trusted } from "./markup.ts";
import { printable, printableLine } from "./printable.ts";
import { requestsText } from "./requests-text.ts";
import { countsOf, rulesByArea } from "./rule-counts.ts";
import { verdictNames, verdictOrder } from "./verdict-names.ts";

/** The run as one page that loads nothing from anywhere. */
export function htmlReport(result: RunResult): string {
  const { causes, warnings } = reportedCauses(result);
  const anchors = anchorsOf([...causes, ...(warnings?.causes ?? [])]);
  const policy = `default-src 'none'; style-src '${hashOf(htmlStyle)}'; script-src '${hashOf(htmlScript)}'; base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="color-scheme" content="light dark">
<title>${headlineOf(result)} · ${result.contract.title}</title>
<style>${trusted(htmlStyle)}</style>
</head>
<body>
${pageHead(result)}
<main>
${baselineSection(result)}
${findings(result, anchors, causes, warnings)}
${ruleSections(result, anchors)}
${further(result)}
<footer>Contract ${result.contract.title} ${result.contract.version}, SHA-256 <code>${result.contract.digest.slice(0, 16)}</code>. Secrets are shown as the names of environment variables.</footer>
</main>
<script>${trusted(htmlScript)}</script>
</body>
</html>
`.markup;
}

const hashOf = (text: string): string => `sha256-${createHash("sha256").update(text).digest("base64")}`;

function pageHead(result: RunResult): Markup {
  const counts = countsOf(result.rules);
  const present = verdictOrder.filter((verdict) => counts[verdict] > 0);
  const waited = result.waitedSeconds > 0 ? `, ${durationText(result.waitedSeconds * 1000)} of it waiting` : "";
  const facts = [
    printableLine(result.target.baseUrl) + (result.target.sandbox ? " with its sandbox" : ""),
    `${profileNames[result.profile]} profile`,
    `seed ${result.seed}`,
    counted(result.checks.length, "check"),
    requestsText(result),
    durationText(result.durationMs) + waited,
    result.startedAt,
  ];
  const areas = [...rulesByArea(result).keys()];
  return html`<header class="top"><div>
<h1>${headlineOf(result)}</h1>
<ul class="facts">${facts.map((fact) => html`<li>${fact}</li>`)}</ul>
${result.scope === null ? null : html`<p class="scope">${result.scope}</p>`}
<div class="bar" role="img" aria-label="${present.map((v) => `${counts[v]} ${verdictNames[v]}`).join(", ")}">${present.map(
    (verdict) => html`<i class="${verdict} w${Math.max(1, Math.round((counts[verdict] / counts.rules) * 100))}"></i>`,
  )}</div>
<div class="filters" role="group" aria-label="Filters">
${present.map(
  (verdict) =>
    html`<button type="button" class="chip ${verdict}" data-verdict="${verdict}" aria-pressed="false">${verdictNames[verdict]}<b>${counts[verdict]}</b></button>`,
)}
<select id="area" aria-label="Area"><option value="">every area</option>${areas.map((area) => html`<option>${area}</option>`)}</select>
<input id="search" type="search" placeholder="Search rules, checks, exchanges" aria-label="Search">
</div>
<p class="shown" id="shown" role="status"></p>
</div></header>`;
}

function baselineSection({ baseline }: RunResult): Markup {
  if (baseline === null) return html``;
  const verdicts = { leak: "fail", stale: "fail", known: "warn", untried: "blocked" };
  const items = baselineLines(baseline).map(
    ({ kind, entry, text, fix }) =>
      html`<li><span class="badge ${verdicts[kind]}">${kind}</span> <span class="id">${entry.rule}</span>${printable(text)}${fix === null ? null : html` → ${printable(fix)}`}</li>`,
  );
  return html`<section id="baseline"><h2>Baseline <code>${baseline.file}</code>: ${baselineHead(baseline)}</h2><ul class="plain">${items}</ul></section>`;
}

function findings(
  result: RunResult,
  anchors: ReadonlyMap<Cause, string>,
  causes: readonly Cause[],
  warnings: FoldedWarnings | null,
): Markup {
  if (causes.length === 0) return html``;
  const contents = causes.map(
    (cause) =>
      html`<li><a href="#${anchors.get(cause) ?? ""}">${printableLine(lineOf(cause))}</a> <span class="badge ${cause.verdict}">${verdictNames[cause.verdict]}</span>${cause.primary.likely.map(({ says }) => html`<br>likely: ${printableLine(says)}`)}</li>`,
  );
  let room = evidenceRoom;
  const cardOf = (cause: Cause): Markup => {
    const extents = evidenceExtents.map((extent) => causeCard(result, cause, anchors.get(cause) ?? "", extent));
    const card = extents.find(({ markup }) => markup.length <= room) ?? extents.at(-1) ?? html``;
    room -= card.markup.length;
    return card;
  };
  const cards = causes.map(cardOf);
  const folded =
    warnings === null
      ? null
      : html`<details class="warnings warn" id="warnings" data-list><summary><span class="badge">${verdictNames.warn}</span><span class="sentence">${warningsHead(warnings)}</span></summary>
<div class="body">${warnings.causes.map(cardOf)}</div></details>
`;
  return html`<section data-list id="findings"><h2>${causesHead(causes)}</h2>
<nav class="contents" aria-label="Findings"><ol>${contents}</ol>${warnings === null ? null : html`<p><a href="#warnings">${warningsHead(warnings)}</a></p>`}</nav>
${cards}${folded}</section>`;
}

/** Characters that findings may take; those that do not fit show less of their evidence. */
const evidenceRoom = 400_000;

function further({ nextSteps, leftBehind, profile }: RunResult): Markup {
  const steps = nextSteps.map((step) => html`<li>+ ${counted(step.rules, "rule")}: ${step.advice}</li>`);
  const left = leftBehind.map((thing) => html`<li>${printableLine(leftBehindText(thing))}</li>`);
  return html`${steps.length === 0 ? null : html`<section><h2>${furtherHead(profile)}</h2><ul class="plain">${steps}</ul></section>`}
${left.length === 0 ? null : html`<section><h2>Left behind on the target</h2><ul class="plain">${left}</ul></section>`}`;
}
