import type { Comparison } from "./baseline.ts";
import { changedLines, lastCommitOf } from "./git-history.ts";
import type { Problem } from "./problem.ts";

export const baselinePath = "scripts/guards/prose/baseline.txt";

const maxShownProblems = 10;

export const problemLine = (path: string, { kind, line, text, advice }: Problem): string =>
  `${path}:${line}  ${kind}: ${advice}\n    ${text}`;

/** One line for each thing to do, with the places of new problems; none if all files are as the baseline says. */
export function reportOf(
  root: string,
  { worse, better, gone }: Comparison,
  problems: ReadonlyMap<string, readonly Problem[]>,
): readonly string[] {
  const commit = worse.length === 0 ? null : lastCommitOf(root, baselinePath);
  const additions = worse.flatMap(({ path, kind, allowed, count }) => {
    const all = (problems.get(path) ?? []).filter((problem) => problem.kind === kind);
    const lines = commit === null ? new Set<number>() : changedLines(root, commit, path);
    const recent = all.filter(({ line }) => lines.has(line));
    const shown = (recent.length >= count - allowed ? recent : all).slice(0, maxShownProblems);
    const head =
      allowed === 0
        ? `${path}: ${kind}: ${count}, and none is allowed`
        : `${path}: ${kind}: ${count}, and ${allowed} are allowed`;
    return [head, ...shown.map((problem) => problemLine(path, problem))];
  });
  const improved = better.map(
    ({ path, kind, allowed, count }) =>
      `${path}: ${kind}: ${count} instead of ${allowed}: run npm run prose -- --write`,
  );
  const missing = gone.map(
    (path) =>
      `${path}: no such file: stage the change and run npm run prose -- --write; if text went to a file that git does not take for its new name, first run npm run prose -- --move ${path} NEW`,
  );
  return [...additions, ...improved, ...missing];
}
