import { createHash } from "node:crypto";
import { leftBehindText } from "../provision/left-behind.ts";
import { isPartial, type RuleResult, type RunResult } from "../runner/run-result.ts";
import { durationText } from "../target/duration.ts";
import { baselineHead, baselineLines } from "./baseline-text.ts";
import { causesHead } from "./cause-text.ts";
import { type Cause, causesOf } from "./causes.ts";
import { classTexts } from "./class-text.ts";
import { counted } from "./counted.ts";
import { coverageText, missingTexts } from "./coverage-text.ts";
import { unblockOf } from "./failure-groups.ts";
import { furtherHead, headlineOf, profileNames } from "./headline.ts";
import { causeCard, causeId, sentence } from "./html-cause.ts";
import { htmlScript } from "./html-script.ts";
import { htmlStyle } from "./html-style.ts";
import { html, type Markup, trusted } from "./markup.ts";
import { printable, printableLine } from "./printable.ts";
import { requestsText } from "./requests-text.ts";
import { areaOf, countsOf, rulesByArea } from "./rule-counts.ts";
import { verdictNames, verdictOrder } from "./verdict-names.ts";

/** The run as one page that loads nothing from anywhere. */
export function htmlReport(result: RunResult): string {
  const causes = causesOf(result);
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
${findings(result, causes)}
${everyRule(result, causes)}
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

const findings = (result: RunResult, causes: readonly Cause[]): Markup =>
  causes.length === 0
    ? html``
    : html`<section data-list><h2>${causesHead(causes)}</h2>${causes.map((cause) => causeCard(result, cause))}</section>`;

function everyRule(result: RunResult, causes: readonly Cause[]): Markup {
  const areas = [...rulesByArea(result)].map(([area, rules]) => {
    const counts = countsOf(rules);
    const figures = verdictOrder.filter((v) => counts[v] > 0).map((v) => `${counts[v]} ${verdictNames[v]}`);
    return html`<div data-list><h3>${area} · ${figures.join(", ")}</h3><div class="rules">${rules.map((rule) => ruleRow(rule, causes))}</div></div>`;
  });
  return html`<section data-list><h2>Every rule</h2>${areas}</section>`;
}

function ruleRow(result: RuleResult, causes: readonly Cause[]): Markup {
  const { id, rule, verdict, message, coverage, findings } = result;
  const unblock = verdict === "blocked" ? unblockOf(result) : null;
  const evidence = causes.filter((cause) => cause.rules.includes(result));
  const checks = [...new Set(findings.map((f) => f.check))];
  const missing = coverage === null || !isPartial(result) ? [] : missingTexts(coverage);
  const part =
    coverage === null || missing.length === 0 ? null : html`<span class="when">${coverageText(coverage)}</span>`;
  return html`<details class="rule ${verdict}" id="${id}" data-verdict="${verdict}" data-areas="${areaOf(id)}">
<summary><span class="badge">${verdictNames[verdict]}</span><span class="sentences"><span class="sentence"><span class="id">${id}</span>${sentence(rule.says)}</span>${part}</span></summary>
<div class="body"><dl>
${row("Level", `${rule.level}, ${rule.basis}`)}${row("Why", rule.why)}${row("About", rule.about)}
${row("Open questions", rule.questions.length === 0 ? null : rule.questions.join(", "))}
${row("Checks", checks.length === 0 ? "none of this run" : checks.join(", "))}
${classTexts([result]).map((text) => row("Class", text))}${row("Result", message === "" ? null : message)}${row("To decide it", unblock)}
${row("Decided for", coverage === null ? null : coverageText(coverage))}${missing.map(({ text, unblock: how }) => row("Not decided for", how === null ? text : `${text} → ${how}`))}
</dl>${evidence.map((cause) => html`<p><a href="#${causeId(cause)}">${cause.primary.rules.includes(result) ? "What was found" : `Probably of the same cause as ${cause.primary.rules[0]?.id}`}</a></p>`)}</div></details>
`;
}

const row = (name: string, text: string | null): Markup =>
  text === null ? html`` : html`<dt>${name}</dt><dd>${printable(text)}</dd>`;

function further({ nextSteps, leftBehind, profile }: RunResult): Markup {
  const steps = nextSteps.map((step) => html`<li>+ ${counted(step.rules, "rule")}: ${step.advice}</li>`);
  const left = leftBehind.map((thing) => html`<li>${printableLine(leftBehindText(thing))}</li>`);
  return html`${steps.length === 0 ? null : html`<section><h2>${furtherHead(profile)}</h2><ul class="plain">${steps}</ul></section>`}
${left.length === 0 ? null : html`<section><h2>Left behind on the target</h2><ul class="plain">${left}</ul></section>`}`;
}
