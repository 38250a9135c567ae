import { leftBehindCount, leftBehindText } from "../provision/left-behind.ts";
import type { RunResult } from "../runner/run-result.ts";
import { exitCodeOf } from "../runner/run-result.ts";
import { durationText } from "../target/duration.ts";
import { baselineHead, baselineLines } from "./baseline-text.ts";
import { counted } from "./counted.ts";
import { partialHead, partialText } from "./coverage-text.ts";
import { partialGroups, undecidedGroups } from "./failure-groups.ts";
import { certainWarnings, furtherHead, headlineOf, profileNames } from "./headline.ts";
import { type Paint, paintWith } from "./paint.ts";
import { printable, printableLine } from "./printable.ts";
import { requestsText } from "./requests-text.ts";
import { countsOf, rulesByArea } from "./rule-counts.ts";
import { causeSections } from "./terminal-causes.ts";
import { labelled, padStart, table } from "./text-layout.ts";

export interface TerminalOptions {
  readonly colour: boolean;
  /** Columns. */
  readonly width: number;
  /** Files that hold the reports, the most readable first. */
  readonly reports: readonly string[];
  /** The last lines only: verdict and reports. */
  readonly quiet: boolean;
}

/** What a person reads at the end of a run. */
export function terminalReport(result: RunResult, options: TerminalOptions): string {
  const paint = paintWith(options.colour);
  const width = Math.min(Math.max(options.width, 60), 120);
  const fileNamed = (end: string): string | null => options.reports.find((file) => file.endsWith(end)) ?? null;
  const files = { results: fileNamed("results.json"), page: fileNamed(".html") };
  const causes = causeSections(result, paint, width, files);
  // Beside what is to be mended, the summary alone has how far the rest was decided.
  const extent = causes.length > 0 ? [] : [partialSection(result, paint, width), areaSection(result, paint)];
  const sections = options.quiet
    ? [verdictSection(result, paint), reportsSection(options.reports, paint)]
    : [
        titleSection(result, paint),
        ...causes,
        baselineSection(result, paint, width),
        undecidedSection(result, paint, width),
        ...extent,
        verdictSection(result, paint),
        nextSection(result, paint, width),
        leftSection(result, paint),
        reportsSection(options.reports, paint),
      ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

type Lines = readonly string[];

const titleSection = ({ contract, target, profile, seed, scope }: RunResult, paint: Paint): Lines => [
  [
    paint.bold(`${contract.title} ${contract.version}`),
    printableLine(target.baseUrl),
    target.sandbox ? "with its sandbox" : null,
    profileNames[profile],
    `seed ${seed}`,
  ]
    .filter((part) => part !== null)
    .join(paint.dim(" · ")),
  ...(scope === null ? [] : [printableLine(scope)]),
];

function baselineSection({ baseline }: RunResult, paint: Paint, width: number): Lines {
  if (baseline === null) return [];
  const tint = { leak: paint.red, stale: paint.red, known: paint.yellow, untried: paint.dim };
  const lines = baselineLines(baseline).flatMap(({ kind, entry, text, fix }) => {
    const told = printable(text) + (fix === null ? "" : `\n${paint.dim(`→ ${printable(fix)}`)}`);
    return labelled(`  ${tint[kind](printableLine(entry.rule))}  `, told, 13, width);
  });
  return [
    `${paint.bold("Baseline")} ${paint.dim(`${printableLine(baseline.file)} · ${baselineHead(baseline)}`)}`,
    ...lines,
  ];
}

function undecidedSection(result: RunResult, paint: Paint, width: number): Lines {
  const groups = undecidedGroups(result);
  const limit = 10;
  if (groups.length === 0) return [];
  const lines = groups.slice(0, limit).flatMap(({ rules, message, unblock }) => {
    const ids = rules.length <= 8 ? `${rules.map((r) => r.id).join(", ")}: ` : "";
    const text = printable(ids + message) + (unblock === null ? "" : `\n${paint.dim(`→ ${printable(unblock)}`)}`);
    return labelled(`  ${padStart(counted(rules.length, "rule"), 9)}  `, text, 13, width);
  });
  const more =
    groups.length > limit
      ? [`  ${paint.dim(`and ${counted(groups.length - limit, "more reason")} in the report`)}`]
      : [];
  return [paint.bold("Not decided"), ...lines, ...more];
}

function partialSection(result: RunResult, paint: Paint, width: number): Lines {
  const groups = partialGroups(result);
  if (groups.length === 0) return [];
  const lines = groups.flatMap((group) => {
    const advice = group.unblock === null ? "" : `\n${paint.dim(`→ ${printable(group.unblock)}`)}`;
    return labelled("  not at  ", printable(partialText(group)) + advice, 10, width);
  });
  return [paint.bold(partialHead(groups)), ...lines];
}

function areaSection(result: RunResult, paint: Paint): Lines {
  const columns = [
    ["pass", "pass"],
    ["fail", "fail"],
    ["warn", "warn"],
    ["blocked", "blocked"],
    ["not_applicable", "not applicable"],
    ["observed", "observed"],
    ["kit_error", "kit error"],
  ] as const;
  const all = countsOf(result.rules);
  const used = columns.filter(([verdict], index) => index < 4 || all[verdict] > 0);
  const tint = { fail: paint.red, warn: paint.yellow, kit_error: paint.red } as const;
  const row = (name: string, counts: typeof all): readonly string[] => [
    name,
    String(counts.rules),
    ...used.map(([verdict]) => {
      const count = counts[verdict];
      if (count === 0) return paint.dim("·");
      return verdict === "fail" || verdict === "warn" || verdict === "kit_error"
        ? tint[verdict](String(count))
        : String(count);
    }),
  ];
  const areas = [...rulesByArea(result)].map(([area, rules]) => row(area, countsOf(rules)));
  const { head, rows } = table(["area", "rules", ...used.map(([, name]) => name)], [...areas, row("all", all)]);
  const total = rows.at(-1) ?? "";
  return [paint.dim(head), ...rows.slice(0, -1), paint.bold(total)];
}

function verdictSection(result: RunResult, paint: Paint): Lines {
  const code = exitCodeOf(result);
  const good = certainWarnings(result).length === 0 ? paint.green("✓") : paint.yellow("!");
  const mark = code === 0 ? good : paint.red(code === 1 ? "✗" : "?");
  const spent = [
    requestsText(result),
    `${durationText(result.durationMs)}${result.waitedSeconds > 0 ? `, ${durationText(result.waitedSeconds * 1000)} of it waiting` : ""}`,
    `${counted(result.checks.length, "check")}`,
    `seed ${result.seed}`,
  ];
  return [`${mark} ${paint.bold(headlineOf(result))}`, paint.dim(`  ${spent.join(" · ")}`)];
}

function nextSection({ nextSteps, profile }: RunResult, paint: Paint, width: number): Lines {
  if (nextSteps.length === 0) return [];
  const steps = nextSteps.slice(0, 8);
  const figures = steps.map(({ rules }) => `+ ${counted(rules, "rule")}`);
  const column = Math.max(...figures.map((figure) => figure.length));
  return [
    paint.bold(furtherHead(profile)),
    ...steps.flatMap(({ advice }, index) =>
      labelled(`  ${padStart(figures[index] ?? "", column)}  `, printable(advice), column + 4, width),
    ),
  ];
}

/** Things of one kind that are named one by one. */
const mostLeftNamed = 3;

function leftSection({ leftBehind }: RunResult, paint: Paint): Lines {
  if (leftBehind.length === 0) return [];
  const kinds = [...Map.groupBy(leftBehind, ({ kind }) => kind)];
  return [
    paint.bold(`Left behind on the target`),
    ...kinds.flatMap(([kind, things]) =>
      things.length <= mostLeftNamed
        ? things.map((thing) => `  ${printableLine(leftBehindText(thing))}`)
        : [`  ${leftBehindCount(kind, things.length)}${paint.dim(", listed in the report")}`],
    ),
  ];
}

const reportsSection = (reports: readonly string[], paint: Paint): Lines =>
  reports.length === 0 ? [] : [paint.bold("Reports"), ...reports.map((path) => `  ${path}`)];
