import { isPartial, type RuleResult, type RunResult } from "../runner/run-result.ts";
import type { Cause } from "./cause-of.ts";
import { classTexts } from "./class-text.ts";
import { counted } from "./counted.ts";
import { coverageText, missingTexts } from "./coverage-text.ts";
import { type UndecidedGroup, undecidedGroups } from "./failure-groups.ts";
import { sentence } from "./html-cause.ts";
import { html, type Markup } from "./markup.ts";
import { printable } from "./printable.ts";
import { countsOf, rulesByArea } from "./rule-counts.ts";
import { verdictNames, verdictOrder } from "./verdict-names.ts";

/** What kept rules from being decided, each reason once, and then every rule. */
export function ruleSections(result: RunResult, causes: ReadonlyMap<Cause, string>): Markup {
  const reasons = undecidedGroups(result);
  const areas = [...rulesByArea(result)].map(([area, rules]) => {
    const counts = countsOf(rules);
    const figures = verdictOrder.filter((v) => counts[v] > 0).map((v) => `${counts[v]} ${verdictNames[v]}`);
    return html`<div data-list><h3>${area} · ${figures.join(", ")}</h3><div class="rules">${rules.map((rule) => ruleRow(rule, causes, reasons))}</div></div>`;
  });
  return html`${undecidedSection(reasons)}<section data-list id="rules"><h2>Every rule</h2>${areas}</section>`;
}

function undecidedSection(reasons: readonly UndecidedGroup[]): Markup {
  if (reasons.length === 0) return html``;
  const items = reasons.map(({ rules, message, unblock }, index) => {
    const [first] = rules;
    const classes = first === undefined ? [] : classTexts([first]);
    return html`<details id="${reasonId(index)}"><summary><span class="badge">${counted(rules.length, "rule")}</span><span class="sentence">${printable(message)}</span></summary>
<div class="body"><dl>${classes.map((text) => row("Class", text))}${row("To decide", unblock)}</dl><p>${rules.map(({ id }) => html`<a href="#${id}">${id}</a> `)}</p></div></details>
`;
  });
  return html`<section id="undecided"><h2>Not decided</h2>${items}</section>`;
}

const reasonId = (index: number): string => `reason-${index + 1}`;

function ruleRow(result: RuleResult, causes: ReadonlyMap<Cause, string>, reasons: readonly UndecidedGroup[]): Markup {
  const { id, rule, verdict, message, coverage, findings } = result;
  const reason = reasons.findIndex(({ rules }) => rules.includes(result));
  const evidence = [...causes].filter(([cause]) => cause.rules.includes(result));
  const checks = checkNames(findings.map((f) => f.check));
  const missing = coverage === null || !isPartial(result) ? [] : missingTexts(coverage);
  const part =
    coverage === null || missing.length === 0 ? null : html`<span class="when">${coverageText(coverage)}</span>`;
  return html`<details class="rule ${verdict}" id="${id}">
<summary><span class="badge">${verdictNames[verdict]}</span><span class="sentence"><b>${id}</b> ${sentence(rule.says)}${part}</span></summary>
<div class="body"><dl>${row("Rule", `${rule.level}, ${rule.basis}, about ${rule.about}`)}${row("Why", rule.why)}${row("Open questions", rule.questions.length === 0 ? null : rule.questions.join(", "))}${row("Checks", checks.length === 0 ? "none of this run" : checks.join(", "))}${reason === -1 ? [...classTexts([result]).map((text) => row("Class", text)), row("Result", message === "" ? null : message)] : null}${row("Decided for", coverage === null ? null : coverageText(coverage))}${missing.map(({ text, unblock: how }) => row("Not decided for", how === null ? text : `${text} → ${how}`))}</dl>${reason === -1 ? null : html`<p><a href="#${reasonId(reason)}">Why it was not decided</a></p>`}${evidence.map(([cause, anchor]) => html`<p><a href="#${anchor}">${cause.primary.rules.includes(result) ? "What was found" : `Probably of the same cause as ${cause.primary.rules[0]?.id}`}</a></p>`)}</div></details>
`;
}

/** Checks of one name that are named one by one. */
const mostAlike = 3;

/** Ids of checks, each once; those that do the same at one operation each are counted under their common name. */
function checkNames(ids: readonly string[]): readonly string[] {
  const families = Map.groupBy(new Set(ids), (id) => id.slice(0, id.lastIndexOf(".")));
  return [...families].flatMap(([family, members]) =>
    members.length > mostAlike && family.includes(".") ? [`${family} (at ${members.length} operations)`] : members,
  );
}

/** Without the end tags, which HTML does not need here: of hundreds of rules they were a twentieth of the page. */
const row = (name: string, text: string | null): Markup =>
  text === null ? html`` : html`<dt>${name}<dd>${printable(text)}`;
