import { type Command, Option } from "commander";
import { diff as changesBetween } from "../../compiler/diff/diff.ts";
import { includes } from "../../compiler/schema/inclusion.ts";
import { paintWith } from "../../conformance/reports/paint.ts";
import { type DiffFormat, diffFormats, reportAs } from "../diff/diff-formats.ts";
import { type FailOn, failLevels, fails } from "../diff/diff-report.ts";
import { readSide, readWorkingTree } from "../diff/read-side.ts";
import { exitWith } from "./exit-with.ts";
import { projectFrom } from "./project.ts";
import { usesColour } from "./uses-colour.ts";

interface DiffFlags {
  readonly format: DiffFormat;
  readonly failOn: FailOn;
}

/** Registers `diff`. Exit codes: see its help. */
export function addDiff(program: Command): void {
  program
    .command("diff")
    .description("compare two contracts and judge every change: breaking, risky or safe")
    .argument("<base>", "git ref, folder, .tsp file, contract.json or OpenAPI 3.0/3.1 document")
    .argument("[head]", "the same (default: the spec of the working tree, compiled)")
    .addOption(new Option("--format <form>", "what standard output gets").choices(diffFormats).default("text"))
    .addOption(
      new Option("--fail-on <level>", "the mildest changes that give exit code 1")
        .choices(failLevels)
        .default("breaking"),
    )
    .addHelpText("after", help)
    .action((base: string, head: string | undefined, flags: DiffFlags, self: Command) =>
      exitWith(self, () => diff(base, head, flags)),
    );
}

const help = `
A git ref means the generated/contract.json that was committed there.

Examples:
  npx bylaw diff origin/main                     what the working tree changes
  npx bylaw diff v1.0.0 v1.1.0 --format markdown
  npx bylaw diff old/openapi.yaml new/openapi.yaml --fail-on risky

Exit codes:
  0  no change as grave as --fail-on
  1  a change as grave as --fail-on
  2  bad usage, or a side that cannot be read`;

async function diff(baseName: string, headName: string | undefined, { format, failOn }: DiffFlags): Promise<0 | 1> {
  const base = await readSide(baseName);
  const head = headName === undefined ? await readWorkingTree(projectFrom({})) : await readSide(headName);
  const extent = base.extent === "document" || head.extent === "document" ? "document" : "contract";
  const changes = changesBetween(base.contract, head.contract, { includes, extent });
  const report = { base: base.shown, head: head.shown, extent, changes, failOn } as const;
  process.stdout.write(reportAs(format, report, paintWith(usesColour(process.stdout))));
  return fails(report) ? 1 : 0;
}
