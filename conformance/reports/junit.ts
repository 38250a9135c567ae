import type { StaleEntry } from "../runner/baseline.ts";
import { exitCodeOf, isKnown, isPartial, type RuleResult, type RunResult } from "../runner/run-result.ts";
import { knownTexts } from "./baseline-text.ts";
import { readableBody } from "./body-lines.ts";
import type { Cause } from "./cause-of.ts";
import { lineOf } from "./cause-text.ts";
import { causesOf } from "./causes.ts";
import { classTexts, warningReasons } from "./class-text.ts";
import { coverageText, missingTexts } from "./coverage-text.ts";
import { curlOf } from "./curl.ts";
import { unblockOf } from "./failure-groups.ts";
import { printable, printableLine } from "./printable.ts";
import { redClassOf } from "./red-class.ts";
import { replayCommand } from "./replay-command.ts";
import { countsOf, rulesByArea } from "./rule-counts.ts";
import { sharedText } from "./tally-text.ts";
import { momentLine, timelineOf } from "./timeline.ts";

/** The run as JUnit XML: a suite for each area, a case for each rule. */
export function junitXml(result: RunResult): string {
  const causes = causesOf(result);
  const suites = [...rulesByArea(result)].map(([area, rules]) => {
    const cases = rules.map((rule) => testCase(result, causes, area, rule));
    const content = [...scopeProperties(result), ...cases].join("\n");
    return element("testsuite", { name: area, ...figures(result, rules), time: "0" }, content, "\n");
  });
  const time = (result.durationMs / 1000).toFixed(3);
  const stale = (result.baseline?.stale ?? []).map(staleCase);
  const baseline = stale.length === 0 ? [] : [staleSuite(stale)];
  const failedRun =
    exitCodeOf(result) === 2 && countsOf(result.rules).kit_error === 0
      ? [runFailure(result.interrupted ?? "no check could decide a rule of this run")]
      : [];
  const all = figures(result, result.rules);
  const totals = {
    ...all,
    tests: all.tests + stale.length + failedRun.length,
    failures: all.failures + stale.length,
    errors: all.errors + failedRun.length,
  };
  const content = [...suites, ...baseline, ...failedRun].join("\n");
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element("testsuites", { name: "bylaw", ...totals, time }, content, "\n")}\n`;
}

/** What was run and judged, where something was asked for in particular. */
const scopeProperties = ({ scope }: RunResult): readonly string[] =>
  scope === null ? [] : [element("properties", {}, element("property", { name: "scope", value: scope }, ""), "\n")];

function figures(
  result: RunResult,
  rules: readonly RuleResult[],
): Readonly<Record<"tests" | "failures" | "errors" | "skipped", number>> {
  const { fail, kit_error, blocked, not_applicable } = countsOf(rules);
  const known = rules.filter((rule) => isKnown(result, rule)).length;
  return { tests: rules.length, failures: fail - known, errors: kit_error, skipped: blocked + not_applicable + known };
}

/** A stale entry is red by itself, since no rule may be. */
function staleCase({ rule, where, why, fix }: StaleEntry): string {
  const failure = element("failure", { message: printableLine(`${why} ${fix}`), type: "stale" }, "");
  return element("testcase", { classname: "bylaw.baseline", name: `${where} ${rule}`, time: "0" }, failure);
}

function staleSuite(cases: readonly string[]): string {
  const all = { tests: cases.length, failures: cases.length, errors: 0, skipped: 0, time: "0" };
  return element("testsuite", { name: "baseline", ...all }, cases.join("\n"), "\n");
}

/** A run that failed as a whole must not look green, even where no rule is to blame. */
function runFailure(why: string): string {
  const error = element("error", { message: printableLine(why), type: "run" }, "");
  const testcase = element("testcase", { classname: "bylaw.run", name: "the run ended properly", time: "0" }, error);
  return element("testsuite", { name: "run", tests: 1, failures: 0, errors: 1, skipped: 0, time: "0" }, testcase, "\n");
}

function testCase(result: RunResult, causes: readonly Cause[], area: string, ruleResult: RuleResult): string {
  const name = `${ruleResult.id} ${ruleResult.rule.says}`;
  return element("testcase", { classname: `bylaw.${area}`, name, time: "0" }, outcomeOf(result, causes, ruleResult));
}

function outcomeOf(result: RunResult, causes: readonly Cause[], ruleResult: RuleResult): string {
  const { verdict, message, id } = ruleResult;
  const short = printableLine(message).slice(0, 500);
  const missing = partText(ruleResult);
  switch (verdict) {
    case "pass":
      return missing === "" ? "" : element("system-out", {}, escaped(printable(`Passed for ${missing}`)));
    case "fail":
      // Viewers of test reports show a failure as one whatever the exit code says; a skipped case keeps its message.
      if (isKnown(result, ruleResult)) {
        const texts = knownTexts(result, [ruleResult]).map(printableLine).join("; ");
        return element("skipped", { message: `known failure: ${texts}; ${short}` }, "");
      }
      return element("failure", { message: short, type: id }, escaped(printable(detailOf(result, causes, ruleResult))));
    case "kit_error":
      return element(
        "error",
        { message: short, type: "kit_error" },
        escaped(printable(detailOf(result, causes, ruleResult))),
      );
    case "blocked":
    case "not_applicable": {
      const unblock = unblockOf(ruleResult);
      const from = redClassOf(ruleResult);
      const reason = unblock === null ? short : `${short}; ${printableLine(unblock)}`;
      return element(
        "skipped",
        { message: `${verdict.replace("_", " ")}${from === null ? "" : ` (${from})`}: ${reason}` },
        "",
      );
    }
    case "warn":
      return element("system-out", {}, escaped(printable(`Warning: ${detailOf(result, causes, ruleResult)}`)));
    case "observed":
      return element("system-out", {}, escaped(`Observed: ${short}`));
  }
}

/** For which operations alone the rule was decided, and why not for the others; empty when it was for all. */
function partText(ruleResult: RuleResult): string {
  const { coverage } = ruleResult;
  if (coverage === null || !isPartial(ruleResult)) return "";
  const missing = missingTexts(coverage).map(({ text, unblock }) =>
    unblock === null ? `not ${text}` : `not ${text} → ${unblock}`,
  );
  return [coverageText(coverage), ...missing].join("\n");
}

/** Characters of a body that a case shows. */
const bodyLimit = 2000;

function detailOf(result: RunResult, causes: readonly Cause[], ruleResult: RuleResult): string {
  const { verdict, message, findings } = ruleResult;
  const classes = [
    ...classTexts([ruleResult]).map((text) => `class: ${text}`),
    ...warningReasons([ruleResult]).map((text) => `only warns: ${text}`),
  ];
  const details = findings
    .filter((f) => f.verdict === verdict)
    .map((finding) => {
      const last = finding.exchanges.at(-1);
      const timeline = finding.deliveries.length > 0 ? timelineOf(finding) : [];
      const { outcome = null, request = null } = last ?? {};
      const answer =
        outcome === null
          ? null
          : outcome.kind === "lost"
            ? `no response: ${outcome.reason}, ${outcome.message}`
            : `${outcome.status}\n${readableBody(outcome.text, bodyLimit)}`;
      return [
        `check: ${finding.check}`,
        finding.expected === null ? null : `expected: ${finding.expected}`,
        finding.actual === null ? null : `actual: ${finding.actual}`,
        finding.tally === null || finding.tally.of < 2 ? null : `seen: ${sharedText(finding.tally)}`,
        finding.tally?.apart == null ? null : `apart: ${finding.tally.apart}`,
        ...finding.askedAgain.map((text) => `asked again: ${text}`),
        finding.counterexample === null ? null : `with: ${finding.counterexample.value}`,
        timeline.length === 0 ? null : `\n${timeline.map((moment) => momentLine(timeline, moment)).join("\n")}`,
        request === null ? null : `\n${curlOf(request)}`,
        answer === null ? null : `\n${answer}`,
        `\nreplay: ${replayCommand(result, finding)}`,
      ]
        .filter((line) => line !== null)
        .join("\n");
    });
  const part = partText(ruleResult);
  // A rule that leads its own cause needs no name of it.
  const following = causes.filter(
    ({ primary, rules }) => rules.includes(ruleResult) && !primary.rules.includes(ruleResult),
  );
  const named = following.map((cause) => `probably of the same cause as ${lineOf(cause)}`);
  return [[message, ...classes, ...named].join("\n"), ...(part === "" ? [] : [`decided for ${part}`]), ...details].join(
    "\n\n",
  );
}

function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  content: string,
  lineBreak = "",
): string {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${attribute(String(value))}"`);
  const start = `<${name}${pairs.join("")}`;
  return content === "" ? `${start}/>` : `${start}>${lineBreak}${content}${lineBreak}</${name}>`;
}

/** Characters that XML 1.0 admits nowhere, lone halves of surrogate pairs among them. */
const inadmissible = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const escaped = (text: string): string =>
  text
    .replace(inadmissible, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("\r", "&#13;");

const attribute = (text: string): string =>
  escaped(text).replaceAll('"', "&quot;").replaceAll("\n", "&#10;").replaceAll("\t", "&#9;");
