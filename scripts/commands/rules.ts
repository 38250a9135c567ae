import { type Command, Option } from "commander";
import type { Rule } from "../../compiler/contract.ts";
import { didYouMean } from "../../compiler/text/nearest-name.ts";
import { counted } from "../../conformance/reports/counted.ts";
import { type Paint, paintWith } from "../../conformance/reports/paint.ts";
import { padEnd, widthOf, wrapped } from "../../conformance/reports/text-layout.ts";
import { CannotRun } from "./cannot-run.ts";
import { readContract } from "./contract-source.ts";
import { exitWith } from "./exit-with.ts";
import { projectOrOwn } from "./project.ts";
import { usesColour } from "./uses-colour.ts";

const levels = ["must", "should", "observe"] as const;

interface RulesFlags {
  readonly area?: string;
  readonly level?: Rule["level"];
  readonly format: "text" | "json";
}

/** Registers `rules`. Exit codes: see its help. */
export function addRules(program: Command): void {
  program
    .command("rules")
    .description("list the rules of the compiled contract")
    .option("--area <area>", "rules whose ids begin so, such as KEYC")
    .addOption(new Option("--level <level>", "rules of one level").choices([...levels]))
    .addOption(new Option("--format <form>", "what standard output gets").choices(["text", "json"]).default("text"))
    .addHelpText("after", help)
    .action((flags: RulesFlags, self: Command) => exitWith(self, () => rules(flags)));
}

const help = `
Examples:
  npx bylaw rules --area KEYC --level must
  npx bylaw rules --format json | jq '.[].id'

Exit codes:
  0  listed
  2  bad usage, or a contract that cannot be read`;

async function rules({ area, level, format }: RulesFlags): Promise<0> {
  const contract = await readContract(projectOrOwn());
  const wanted = area === undefined ? null : knownArea(area, contract.rules);
  const listed = [...contract.rules]
    .filter((rule) => (wanted === null || areaOf(rule) === wanted) && (level === undefined || rule.level === level))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  process.stdout.write(
    format === "json"
      ? `${JSON.stringify(listed, null, 2)}\n`
      : rulesText(listed, process.stdout.columns, paintWith(usesColour(process.stdout))),
  );
  return 0;
}

const areaOf = ({ id }: Rule): string => id.split("-", 1)[0] ?? id;

function knownArea(given: string, all: readonly Rule[]): string {
  const areas = new Set(all.map(areaOf));
  const area = given.toUpperCase();
  if (areas.has(area)) return area;
  const known = [...areas].sort().join(", ");
  throw new CannotRun(
    `--area ${given.slice(0, 80)}: There is no such area.${didYouMean(given, areas)}\n  Areas: ${known}.`,
  );
}

/** A line for each rule; on a terminal, `columns` wide, sentences are broken under their column. */
function rulesText(listed: readonly Rule[], columns: number | undefined, paint: Paint): string {
  const idWidth = Math.max(...listed.map(({ id }) => widthOf(id)), 2);
  const levelWidth = Math.max(...levels.map(widthOf));
  const aboutWidth = Math.max(...listed.map(({ about }) => widthOf(about)), 5);
  const margin = idWidth + levelWidth + aboutWidth + 6;
  const room = columns === undefined ? Number.POSITIVE_INFINITY : Math.max(40, columns - margin);
  const lines = listed.flatMap(({ id, level, about, says }) => {
    const head = `${paint.bold(padEnd(id, idWidth))}  ${padEnd(level, levelWidth)}  ${paint.dim(padEnd(about, aboutWidth))}  `;
    return wrapped(says, room).map((line, index) => (index === 0 ? head : " ".repeat(margin)) + line);
  });
  const counts = levels.map((level) => `${listed.filter((rule) => rule.level === level).length} ${level}`);
  return [...lines, `${counted(listed.length, "rule")}: ${counts.join(", ")}.`, ""].join("\n");
}
