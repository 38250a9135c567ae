import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Baseline } from "../../conformance/runner/baseline.ts";
import { CannotRun } from "../commands/cannot-run.ts";
import { shownPath } from "../commands/project.ts";
import { fileProblemText } from "../decisions/decision-file.ts";
import { readDecisions } from "../decisions/read-decisions.ts";
import { parseBaseline } from "./parse-baseline.ts";

/** The baseline in a file. Throws `CannotRun` with every problem and its place. */
export async function readBaseline(name: string): Promise<Baseline> {
  const path = resolve(name);
  if (!existsSync(path)) {
    throw new CannotRun(
      `--baseline ${name}: There is no such file.\n  Correct the name, or begin one: npx bylaw baseline report/results.json > ${name}`,
    );
  }
  const file = shownPath(path);
  const { entries, problems } = parseBaseline(file, await readDecisions(path, "Put up with fewer failures."));
  if (problems.length === 0) return { file, entries };
  throw new CannotRun(`The baseline cannot be read.\n\n${problems.map(fileProblemText).join("\n\n")}`);
}
