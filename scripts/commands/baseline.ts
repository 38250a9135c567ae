import type { Command } from "commander";
import { baselineEntries } from "../baseline/baseline-entries.ts";
import { exitWith } from "./exit-with.ts";
import { readResults } from "./read-results.ts";

/** Registers `baseline`: begins the file of known failures that `verify --baseline` takes. */
export function addBaseline(program: Command): void {
  program
    .command("baseline")
    .description("print an entry for each failure of a run that its baseline does not know")
    .argument("<results>", "results.json of the run")
    .addHelpText("after", help)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .action((results: string, _: object, self: Command) => exitWith(self, () => printEntries(results)));
}

const help = `
Examples:
  npx bylaw baseline report/results.json > .bylaw/baseline.yaml     then give each entry a reason and an owner
  npx bylaw verify --url http://127.0.0.1:8080 --baseline .bylaw/baseline.yaml

Exit codes:
  0  printed
  2  bad usage, or a file that is no results.json of this format`;

async function printEntries(file: string): Promise<0> {
  process.stdout.write(baselineEntries(await readResults(file), new Date().toISOString().slice(0, 10)));
  return 0;
}
