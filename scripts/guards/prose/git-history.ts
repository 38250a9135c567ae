import { execFileSync } from "node:child_process";

/** The output of a git command in a folder; null where there is no git, no repository or no such commit. */
export function git(folder: string, ...args: readonly string[]): string | null {
  try {
    return execFileSync("git", ["-C", folder, ...args], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      maxBuffer: 1 << 28,
    });
  } catch {
    return null;
  }
}

const linesOf = (output: string | null): readonly string[] => (output ?? "").split("\n").filter((line) => line !== "");

/** The last commit that changed a file; null where there is none. */
export const lastCommitOf = (folder: string, path: string): string | null =>
  linesOf(git(folder, "log", "-1", "--format=%H", "--", path)).at(0) ?? null;

/** New paths of the files that were renamed since a commit, by their old paths. The renames must be staged or committed. */
export const renamesSince = (folder: string, commit: string): ReadonlyMap<string, string> =>
  new Map(
    linesOf(git(folder, "diff", "--name-status", "--find-renames", "--diff-filter=R", commit)).flatMap((line) => {
      const [, from, to] = line.split("\t");
      return from === undefined || to === undefined ? [] : [[from, to] as const];
    }),
  );

/** Lines of a file that were added or changed since a commit. */
export function changedLines(folder: string, commit: string, path: string): ReadonlySet<number> {
  const hunks = (git(folder, "diff", "--unified=0", commit, "--", path) ?? "").matchAll(
    /^@@ -\S+ \+(\d+)(?:,(\d+))?/gm,
  );
  return new Set(
    [...hunks].flatMap(([, start, length = "1"]) =>
      Array.from({ length: Number(length) }, (_, index) => Number(start) + index),
    ),
  );
}

export interface Commit {
  readonly hash: string;
  readonly subject: string;
}

/**
 * Commits that were made on top of the one that added a file, without merges; null where there is no history.
 * A shallow clone has some of them or none. Commits of branches that began before are not among them.
 */
export function commitsSinceAdded(folder: string, path: string): readonly Commit[] | null {
  if (git(folder, "rev-parse", "HEAD") === null) return null;
  const [added] = linesOf(git(folder, "log", "--reverse", "--diff-filter=A", "--format=%H", "--", path));
  if (added === undefined) return [];
  const log = git(folder, "log", "--no-merges", "--ancestry-path", "--format=%H %s", `${added}..HEAD`);
  return linesOf(log).map((line) => ({
    hash: line.slice(0, line.indexOf(" ")),
    subject: line.slice(line.indexOf(" ") + 1),
  }));
}
