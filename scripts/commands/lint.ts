import { type Command, Option } from "commander";
import { lintSpec } from "../../compiler/compile.ts";
import { paintWith } from "../../conformance/reports/paint.ts";
import { exitWith } from "./exit-with.ts";
import { onFiles } from "./on-files.ts";
import { problemCounts, problemsText } from "./problem-text.ts";
import { projectFrom } from "./project.ts";
import { usesColour } from "./uses-colour.ts";
import { wholeFrom } from "./whole-from.ts";

interface LintFlags {
  readonly spec?: string;
  readonly format: "text" | "json";
  readonly maxWarnings?: number;
}

/** Registers `lint`. Exit codes: see its help. */
export function addLint(program: Command): void {
  program
    .command("lint")
    .description("read the spec and check it against the lint rules; write nothing")
    .addOption(new Option("--format <form>", "what standard output gets").choices(["text", "json"]).default("text"))
    .addOption(new Option("--max-warnings <count>", "fail when there are more warnings").argParser(wholeFrom(0, 1e6)))
    .option("--spec <file>", "entry file (default: spec/main.tsp here or in a folder above)")
    .addHelpText("after", help)
    .action((flags: LintFlags, self: Command) => exitWith(self, () => lint(flags)));
}

const help = `
Examples:
  npx bylaw lint
  npx bylaw lint --max-warnings 0         in a pipeline: warnings fail too
  npx bylaw lint --format json | jq '.problems[].code'

JSON: { "problems": [{ "code", "severity", "message", "fix", "place": { "file", "line", "column" } }], "errors", "warnings" }

Exit codes:
  0  no error, and no more warnings than --max-warnings
  1  the contract has errors, or too many warnings
  2  bad usage, or a file that cannot be read`;

async function lint({ format, maxWarnings, ...flags }: LintFlags): Promise<0 | 1> {
  const { root, entry } = projectFrom(flags);
  const { problems } = await onFiles(() => lintSpec(entry, root));
  const errors = problems.filter((problem) => problem.severity === "error").length;
  const warnings = problems.length - errors;
  const tooMany = maxWarnings !== undefined && warnings > maxWarnings;
  if (format === "json") {
    const report = { problems, errors, warnings };
    process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  } else {
    const paint = paintWith(usesColour(process.stdout));
    const told = problems.length > 0 ? `${problemsText(problems, root, paint)}\n` : "";
    const mark = errors > 0 || tooMany ? paint.red("✘") : paint.green("✔");
    const limit = tooMany ? `; --max-warnings is ${maxWarnings}` : "";
    process.stdout.write(`${told}${mark} ${problemCounts(problems)}${limit}.\n`);
  }
  return errors > 0 || tooMany ? 1 : 0;
}
