import { readdir, readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { declarationsIn, type SourceFile } from "./lint/declarations.ts";
import type { LintContext } from "./lint/lint-rule.ts";
import type { Problem } from "./problem.ts";
import { parseRulesLock, type RulesLock } from "./rules-lock.ts";

/** Where the lock of a spec stands: beside its entry file. */
export const lockPathOf = (entry: string): string => join(dirname(entry), "rules.lock");

/** What the lint rules may know beside the contract, and what is wrong with the lock file. */
export interface LintInputs {
  readonly context: LintContext;
  readonly problems: readonly Problem[];
}

/** Reads the lock and the declarations of the spec whose entry file is `entry`; places are relative to `root`. */
export async function readLintContext(entry: string, root: string): Promise<LintInputs> {
  const [{ lock, problems }, sources] = await Promise.all([readLock(entry, root), readSources(dirname(entry), root)]);
  return { context: { lock, declarations: declarationsIn(sources) }, problems };
}

/** The lock beside the entry file; null when there is none yet. */
export async function readLock(
  entry: string,
  root: string,
): Promise<{ readonly lock: RulesLock | null; readonly problems: readonly Problem[] }> {
  const path = lockPathOf(entry);
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  return text === null ? { lock: null, problems: [] } : parseRulesLock(text, relative(root, path));
}

async function readSources(folder: string, root: string): Promise<readonly SourceFile[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = found
    .filter((entry) => entry.isFile() && entry.name.endsWith(".tsp"))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.split(/[\\/]/).includes("node_modules"))
    .sort();
  return Promise.all(paths.map(async (path) => ({ file: relative(root, path), text: await readFile(path, "utf8") })));
}
