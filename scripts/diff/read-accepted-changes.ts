import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { CannotRun } from "../commands/cannot-run.ts";
import { shownPath } from "../commands/project.ts";
import { fileProblemText } from "../decisions/decision-file.ts";
import { maxBytes, readDecisions } from "../decisions/read-decisions.ts";
import type { AcceptedChanges } from "./accepted-changes.ts";
import { committedTextIfAny } from "./committed-contract.ts";
import { parseAcceptedChanges } from "./parse-accepted-changes.ts";

/** Where a project keeps its decisions, below the working folder. */
export const acceptedFile = join(".bylaw", "accepted-changes.yaml");

const nothing: AcceptedChanges = { accepted: [], severities: [] };

/** What the file accepts. The usual file may be missing; one that was named may not. */
export async function readAcceptedChanges(named: string | undefined): Promise<AcceptedChanges> {
  const path = resolve(named ?? acceptedFile);
  const shown = shownPath(path);
  if (!existsSync(path)) {
    if (named === undefined) return nothing;
    throw new CannotRun(`--accepted ${named}: There is no such file.\n  Correct the name, or leave the flag out.`);
  }
  const { changes, problems } = parseAcceptedChanges(shown, await readDecisions(path, "Accept fewer changes."));
  if (problems.length === 0) return changes;
  throw new CannotRun(`The accepted changes cannot be read.\n\n${problems.map(fileProblemText).join("\n\n")}`);
}

/** What the same file accepts in a commit; null when it is not there or can't be read, as nothing is merged with it. */
export async function committedAcceptedChanges(
  ref: string,
  named: string | undefined,
): Promise<AcceptedChanges | null> {
  const text = await committedTextIfAny(ref, resolve(named ?? acceptedFile), process.cwd());
  if (text === null || text.length > maxBytes) return null;
  const { changes, problems } = parseAcceptedChanges("", text);
  return problems.length === 0 ? changes : null;
}
