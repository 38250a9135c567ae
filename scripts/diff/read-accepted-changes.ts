import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { CannotRun } from "../commands/cannot-run.ts";
import { shownPath } from "../commands/project.ts";
import { type FileProblem, fileProblemText } from "../decisions/decision-file.ts";
import { maxBytes, readDecisions } from "../decisions/read-decisions.ts";
import type { AcceptedChanges } from "./accepted-changes.ts";
import { committedTextIfAny, repositoryRoot } from "./committed-contract.ts";
import { type ParsedChanges, parseAcceptedChanges } from "./parse-accepted-changes.ts";

/** Where a project keeps its decisions. */
const usualFile = join(".bylaw", "accepted-changes.yaml");

/** A file of accepted changes, which is absolute. */
export interface AcceptedFile {
  readonly path: string;
  readonly exists: boolean;
}

/**
 * The file of accepted changes. One that was named is looked for from the working folder, then from the repository's root.
 * Otherwise it is the usual one, here or in the nearest folder above that has it, up to that root.
 */
export async function findAcceptedFile(named: string | undefined): Promise<AcceptedFile> {
  const root = await repositoryRoot(process.cwd());
  if (named !== undefined) {
    const path = [resolve(named), resolve(root ?? "", named)].find(existsSync);
    if (path !== undefined) return { path, exists: true };
    throw new CannotRun(
      `--accepted ${named}: There is no ${named} here or at the root of the repository.\n  Correct the name, or leave the flag out.`,
    );
  }
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    const path = join(folder, usualFile);
    if (existsSync(path)) return { path, exists: true };
    if (root === null || resolve(folder) === resolve(root) || folder === dirname(folder)) break;
  }
  return { path: resolve(usualFile), exists: false };
}

/** The error for a file with mistakes, which decides nothing. */
export const unreadableAcceptances = (problems: readonly FileProblem[]): CannotRun =>
  new CannotRun(`The accepted changes cannot be read.\n\n${problems.map(fileProblemText).join("\n\n")}`);

/** Reads a file, with its mistakes. */
export async function parseAcceptedFile({ path, exists }: AcceptedFile): Promise<ParsedChanges> {
  const text = exists ? await readDecisions(path, "Accept fewer changes.") : "";
  return parseAcceptedChanges(shownPath(path), text);
}

/** The content of the same file in a commit, as far as it can be read; null when it is not there. */
export async function committedAcceptedChanges(ref: string, { path }: AcceptedFile): Promise<AcceptedChanges | null> {
  const text = await committedTextIfAny(ref, path, process.cwd());
  if (text === null || text.length > maxBytes) return null;
  return parseAcceptedChanges("", text).changes;
}
