import { createHash } from "node:crypto";
import type { Verdict } from "../../compiler/diff/change.ts";
import { counted } from "../../conformance/reports/counted.ts";
import { htmlStyle } from "../../conformance/reports/html-style.ts";
import { html, type Markup, trusted } from "../../conformance/reports/markup.ts";
import { printableLine } from "../../conformance/reports/printable.ts";
import { countsText } from "./counts-text.ts";
import { adviceText, type DiffReport, extentText, fails, failuresOf, outcomeWord, warningsOf } from "./diff-report.ts";
import { type Finding, findingsOf } from "./finding.ts";
import { diffScript } from "./html-diff-script.ts";
import { diffStyle } from "./html-diff-style.ts";
import { findingCard } from "./html-finding.ts";
import { isAccepted } from "./judged-change.ts";
import { verdicts } from "./severity.ts";
import { versionText } from "./version-advice.ts";

const style = htmlStyle + diffStyle;

/** The report as one page that loads nothing from anywhere. */
export function htmlReport(report: DiffReport): string {
  const policy = `default-src 'none'; style-src '${hashOf(style)}'; script-src '${hashOf(diffScript)}'; base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="color-scheme" content="light dark">
<title>${headline(report)} · bylaw diff</title>
<style>${trusted(style)}</style>
</head>
<body>
${pageHead(report)}
<main>
${remarks(report)}
${report.changes.length === 0 ? html`<p>No change.</p>` : subjects(report)}
<footer>Written by bylaw diff. This page loads nothing from anywhere.</footer>
</main>
<script>${trusted(diffScript)}</script>
</body>
</html>
`.markup;
}

const hashOf = (text: string): string => `sha256-${createHash("sha256").update(text).digest("base64")}`;

const headline = (report: DiffReport): string =>
  `${outcomeWord(report)}: ${report.changes.length === 0 ? "no change" : countsText(report)}`;

function pageHead(report: DiffReport): Markup {
  const { base, head, failOn, changes } = report;
  const findings = findingsOf(changes);
  const countOf = (verdict: Verdict): number => findings.filter((finding) => finding.verdict === verdict).length;
  const present = verdicts.filter((verdict) => countOf(verdict) > 0);
  const share = (count: number): number => Math.max(1, Math.round((count / findings.length) * 100));
  const facts = [
    `${printableLine(base)} → ${printableLine(head)}`,
    ...[extentText(report)].flatMap((line) => line ?? []),
    report.reading === "names" ? "open objects by the names in their schemas" : "open objects by the letter (--strict)",
    `exit code ${fails(report) ? 1 : 0} (--fail-on ${failOn})`,
    `${counted(findings.length, "edit")}, ${counted(changes.length, "place")}`,
  ];
  const accepted = findings.filter(({ shown }) => isAccepted(shown)).length;
  const areas = [...new Set(changes.map(({ area }) => area))];
  return html`<header class="top"><div>
<h1>${fails(report) ? "✘" : "✔"} ${headline(report)}</h1>
<ul class="facts">${facts.map((fact) => html`<li>${fact}</li>`)}</ul>
<p class="version">${versionText(report.version)}</p>
<div class="bar" role="img" aria-label="${countsText(report)}">${present.map(
    (verdict) => html`<i class="${verdict} w${share(countOf(verdict))}"></i>`,
  )}</div>
<div class="filters" role="group" aria-label="Filters">
${present.map((verdict) => chip(verdict, "verdict", countOf(verdict)))}
${accepted === 0 ? null : chip("accepted", "state", accepted)}
<select id="area" aria-label="Area"><option value="">every area</option>${areas.map((area) => html`<option>${area}</option>`)}</select>
<input id="search" type="search" placeholder="Search ids, operations, messages, rules" aria-label="Search">
</div>
<p class="shown" id="shown" role="status"></p>
</div></header>`;
}

const chip = (name: string, kind: string, count: number): Markup =>
  html`<button type="button" class="chip ${name}" data-kind="${kind}" data-value="${name}" aria-pressed="false">${name}<b>${count}</b></button>`;

function remarks(report: DiffReport): Markup {
  const failures = failuresOf(report);
  const warnings = warningsOf(report);
  const advice = adviceText(report);
  return html`${failures.length === 0 ? null : html`<section><h2>Why this fails</h2><ul class="plain failures">${failures.map((line) => html`<li>${line}</li>`)}</ul>${advice === null ? null : html`<p>${advice}</p>`}</section>`}
${warnings.length === 0 ? null : html`<section><h2>Not to be overlooked</h2><ul class="plain warnings">${warnings.map((line) => html`<li>${line}</li>`)}</ul></section>`}`;
}

/** What is gravest comes first, then the order of the report. */
function subjects(report: DiffReport): Markup {
  const groups = [...Map.groupBy(findingsOf(report.changes), ({ subject }) => subject)];
  return html`${groups.map(
    ([subject, findings]: readonly [string, readonly Finding[]]) =>
      html`<section data-list><h2>${printableLine(subject)}</h2>${findings.map((finding) => findingCard(finding, report.failOn))}</section>
`,
  )}`;
}
