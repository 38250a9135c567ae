import { type Command, Option } from "commander";
import { compareResults } from "../../conformance/comparison/compare-results.ts";
import { comparisonMarkdown } from "../../conformance/comparison/comparison-markdown.ts";
import { comparisonText } from "../../conformance/comparison/comparison-text.ts";
import { paintWith } from "../../conformance/reports/paint.ts";
import { exitWith } from "./exit-with.ts";
import { readResults } from "./read-results.ts";
import { usesColour } from "./uses-colour.ts";

interface CompareFlags {
  readonly format: "text" | "json" | "markdown";
}

/** Registers `compare`: one run against an earlier one. Exit codes: see its help. */
export function addCompare(program: Command): void {
  program
    .command("compare")
    .description("tell what a run found that an earlier one did not, and the other way round")
    .argument("<before>", "results.json of the earlier run")
    .argument("<after>", "results.json of the later run")
    .addOption(
      new Option("--format <form>", "what standard output gets").choices(["text", "json", "markdown"]).default("text"),
    )
    .addHelpText("after", help)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .action((before: string, after: string, flags: CompareFlags, self: Command) =>
      exitWith(self, () => compare(before, after, flags)),
    );
}

const help = `
Examples:
  npx bylaw compare main/results.json report/results.json
  npx bylaw compare before.json after.json --format markdown >> "$GITHUB_STEP_SUMMARY"

JSON: { "format", "conditions": [{ "name", "before", "after", "differs" }], "rules": [{ "id", "says", "change",
"before", "after", "newlyIn" }], "counts", "exitCode" }; before and after are { "verdict", "message", "brokenIn",
"coverage" }, or null where that run did not set out to decide the rule.

Exit codes:
  0  nothing is broken that was not, and none in more checks than it was
  1  a rule is broken that was not, or is in a check that did not see it before
  2  bad usage, or a file that is no results.json of this format`;

async function compare(before: string, after: string, { format }: CompareFlags): Promise<0 | 1> {
  const comparison = compareResults(await readResults(before), await readResults(after));
  const columns = process.stdout.columns ?? 100;
  const forms = {
    json: () => `${JSON.stringify(comparison, null, 2)}\n`,
    markdown: () => comparisonMarkdown(comparison),
    text: () => comparisonText(comparison, after, paintWith(usesColour(process.stdout)), columns),
  };
  process.stdout.write(forms[format]());
  return comparison.exitCode;
}
