import { exitCodeOf, type RunResult } from "../runner/run-result.ts";
import { baselineHead, baselineLines } from "./baseline-text.ts";
import { causesHead, doneText, followingRules, followsText, kindText } from "./cause-text.ts";
import { warningReasons } from "./class-text.ts";
import { counted } from "./counted.ts";
import { partialHead, partialText } from "./coverage-text.ts";
import { partialGroups } from "./failure-groups.ts";
import { type FoldedWarnings, firstWarnings, reportedCauses, warningLine, warningsHead } from "./folded-warnings.ts";
import { certainWarnings, furtherHead, headlineOf, profileNames } from "./headline.ts";
import { code, plain, says } from "./markdown-text.ts";
import { replayCommand } from "./replay-command.ts";
import { countsOf, type RuleCounts, rulesByArea } from "./rule-counts.ts";
import { seenTimesShort } from "./tally-text.ts";
import { lastMoments, momentLine, timelineOf } from "./timeline.ts";

/** Moments of a time line that it shows: the last ones. */
const momentLimit = 6;

/** Causes that the summary names; the other reports hold all. */
const causeLimit = 20;

/** A short summary of the run for a step of a CI system. */
export function markdownSummary(result: RunResult): string {
  const { contract, target, profile, seed, scope, nextSteps } = result;
  const mark = { 0: certainWarnings(result).length === 0 ? "✅" : "🟡", 1: "❌", 2: "⚠️" }[exitCodeOf(result)];
  const sections = [
    `## ${mark} ${plain(headlineOf(result))}`,
    `${plain(contract.title)} ${plain(contract.version)} · ${code(target.baseUrl)} · ${profileNames[profile]} · seed ${seed}`,
    scope === null ? "" : plain(scope),
    baselineList(result),
    causes(result),
    areaTable(result),
    inPart(result),
    nextSteps.length === 0
      ? ""
      : `### ${furtherHead(profile)}\n\n${nextSteps.map((s) => `- ${counted(s.rules, "more rule")}: ${plain(s.advice)}`).join("\n")}`,
  ];
  return `${sections.filter((section) => section !== "").join("\n\n")}\n`;
}

/** Calls like it of either kind that are told. */
const alikeLimit = 2;

function causes(result: RunResult): string {
  const { causes: found, warnings } = reportedCauses(result);
  if (found.length === 0) return "";
  const items = found.slice(0, causeLimit).map((cause, index) => {
    const { primary, consequences } = cause;
    const { finding, rules } = primary;
    const done = doneText(finding);
    const seen =
      done !== null || finding.expected === null
        ? code(done ?? finding.message)
        : `expected ${code(finding.expected)}, got ${code(finding.actual ?? "nothing")}`;
    const likely = primary.likely.map(({ says: guess }) => `likely ${code(guess)}`);
    const reasons = warningReasons(rules).map((text) => `only warns: ${plain(text)}`);
    const apart = primary.apart === null ? [] : [code(primary.apart)];
    const again = primary.askedAgain.map((text) => `asked again: ${code(text)}`);
    const rows = primary.alike;
    const alike = [false, true].flatMap((holds) =>
      rows
        .filter((row) => row.holds === holds)
        .slice(0, alikeLimit)
        .map(({ says: what }) => `${holds ? "held" : "failed"}: ${code(what)}`),
    );
    const value = primary.counterexample === null ? [] : [`with ${code(primary.counterexample)}`];
    const [first = "", ...others] = rules.slice(0, 5).map((r) => `**${r.id}** ${says(r.rule.says)}`);
    const more = rules.length > 5 ? [`and ${counted(rules.length - 5, "more rule")}`] : [];
    const timeline = finding.deliveries.length > 0 ? timelineOf(finding) : [];
    const moments = lastMoments(timeline, momentLimit).map((moment) => code(momentLine(timeline, moment)));
    const following = followingRules(cause).join(", ");
    const lines = [
      `${plain(kindText(cause))}: ${first}`,
      ...[
        ...others,
        ...more,
        seen + seenTimesShort(primary),
        ...reasons,
        ...alike,
        ...apart,
        ...again,
        ...likely,
        ...value,
        ...moments,
      ],
      ...(consequences.length === 0 || following === "" ? [] : [`${followsText(cause)}: ${following}`]),
      code(replayCommand(result, finding), Number.POSITIVE_INFINITY),
    ];
    return `${index + 1}. ${lines.join("<br>")}`;
  });
  const more = found.length - items.length;
  const list = `### ${causesHead(found)}\n\n${items.join("\n")}${more > 0 ? `\n\nand ${counted(more, "more cause")}` : ""}`;
  return warnings === null || warnings.entries.length === 0 ? list : `${list}\n\n${warningList(warnings)}`;
}

/** A line for each of the first warnings. */
function warningList(warnings: FoldedWarnings): string {
  const { shown, others } = firstWarnings(warnings);
  const items = shown.map((entry) => {
    const { label, text } = warningLine(entry);
    return `- **${label}** ${code(text)}`;
  });
  const more = others === 0 ? [] : [`- ${counted(others, "more warning")} in \`report.html\``];
  return [`### ${warningsHead(warnings)}`, "", ...items, ...more].join("\n");
}

function baselineList({ baseline }: RunResult): string {
  if (baseline === null) return "";
  const marks = { leak: "🚨", stale: "❌", known: "🟡", untried: "⚪" };
  const items = baselineLines(baseline).map(
    ({ kind, entry, text, fix }) =>
      `- ${marks[kind]} **${plain(entry.rule)}** ${plain(text)}${fix === null ? "" : `<br>${plain(fix)}`}`,
  );
  return [`### Baseline ${code(baseline.file)}: ${baselineHead(baseline)}`, "", ...items].join("\n").trimEnd();
}

function inPart(result: RunResult): string {
  const groups = partialGroups(result);
  const items = groups.map((group) => {
    const advice = group.unblock === null ? "" : ` → ${plain(group.unblock)}`;
    return `- not at ${plain(partialText(group))}${advice}`;
  });
  return items.length === 0 ? "" : `### ${partialHead(groups)}\n\n${items.join("\n")}`;
}

function areaTable(result: RunResult): string {
  const row = (name: string, c: RuleCounts): string =>
    `| ${name} | ${c.rules} | ${c.pass + c.observed} | ${c.fail} | ${c.warn} | ${c.blocked + c.not_applicable + c.kit_error} |`;
  return [
    "| Area | Rules | Pass | Fail | Warn | Not decided |",
    "| --- | ---: | ---: | ---: | ---: | ---: |",
    ...[...rulesByArea(result)].map(([area, rules]) => row(area, countsOf(rules))),
    row("**All**", countsOf(result.rules)),
  ].join("\n");
}
