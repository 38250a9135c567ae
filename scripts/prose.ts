import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { type Baseline, baselineText, compare, lowered, moved, readBaseline } from "./guards/prose/baseline.ts";
import { lastCommitOf, renamesSince } from "./guards/prose/git-history.ts";
import { filledGlossary, glossaryPath } from "./guards/prose/glossary.ts";
import { baselinePath, problemLine, reportOf } from "./guards/prose/lint-report.ts";
import { countsByFile, judgeFiles, lintedPaths } from "./guards/prose/repository.ts";

const help = `Checks the English of documents, comments, titles, help texts and names. No file may get worse; new files are clean.

  npm run prose                      compare all files with the baseline
  npm run prose -- FILE…             list every problem of these files
  npm run prose -- --write           write the lower counts, follow renamed files, print the glossary's lists of words
  npm run prose -- --move OLD NEW    allow NEW the problems that OLD lost, after text went from OLD to NEW

A problem is one of:
  clause      a sentence begins with a What, Who, Whether, Of or That clause
  word        a word to avoid; docs/glossary.md lists the words to use
  long        a sentence of more than 25 words
  paragraph   a paragraph of more than 90 words, in Markdown
  name        an exported name or a file name with a word to avoid
  unit        a constant holds a time span, and its name has no unit

Exit codes:
  0   all files are as the baseline says, or it was written
  1   a file has more or fewer problems than the baseline says
  2   bad arguments
`;

const root = resolve(import.meta.dirname, "..");
process.exitCode = run(process.argv.slice(2));

function run(args: readonly string[]): 0 | 1 | 2 {
  const [first, ...others] = args;
  if (first === "--help") return print(0, help);
  if (first === "--write" && others.length === 0) return write();
  if (first === "--move") {
    const [from, to, ...more] = others;
    if (from === undefined || to === undefined || more.length > 0) return fail("--move takes two paths");
    return move(from, to);
  }
  if (first?.startsWith("-")) return fail(`unknown flag ${first}`);
  return first === undefined ? look() : list(args);
}

/** The baseline; null before the first one is written. */
function baseline(): Baseline | null {
  const path = join(root, baselinePath);
  return existsSync(path) ? readBaseline(readFileSync(path, "utf8")) : null;
}

function look(): 0 | 1 {
  const problems = judgeFiles(root, lintedPaths(root));
  const comparison = compare(countsByFile(problems), baseline() ?? new Map());
  const lines = reportOf(root, comparison, problems);
  return lines.length === 0 ? print(0, "All files are as the baseline says.\n") : print(1, `${lines.join("\n")}\n`);
}

function list(files: readonly string[]): 0 | 1 | 2 {
  const paths = files.map((file) => relative(root, resolve(file)));
  const missing = paths.find((path) => !existsSync(join(root, path)));
  if (missing !== undefined) return fail(`there is no file ${missing}`);
  const lines = [...judgeFiles(root, paths)].flatMap(([path, found]) => found.map((one) => problemLine(path, one)));
  return lines.length === 0 ? print(0, "No problems.\n") : print(1, `${lines.join("\n")}\n`);
}

function write(): 0 | 1 {
  const glossary = join(root, glossaryPath);
  writeFileSync(glossary, filledGlossary(readFileSync(glossary, "utf8")));
  const problems = judgeFiles(root, lintedPaths(root));
  const counts = countsByFile(problems);
  const before = baseline();
  const commit = lastCommitOf(root, baselinePath);
  const renames = commit === null ? new Map<string, string>() : renamesSince(root, commit);
  const after = before === null ? counts : lowered(counts, before, renames);
  writeFileSync(join(root, baselinePath), baselineText(after));
  const lines = reportOf(root, compare(counts, after), problems);
  return lines.length === 0 ? print(0, `${baselinePath} is written.\n`) : print(1, `${lines.join("\n")}\n`);
}

function move(from: string, to: string): 0 | 2 {
  const [old, recent] = [from, to].map((path) => relative(root, resolve(path)).replaceAll("\\", "/"));
  const before = baseline();
  if (old === undefined || recent === undefined || before?.has(old) !== true) return fail(`no entry for ${from}`);
  const counts = countsByFile(judgeFiles(root, lintedPaths(root)));
  if (!counts.has(recent)) return fail(`the lint reads no file ${to}`);
  writeFileSync(join(root, baselinePath), baselineText(moved(counts, before, old, recent)));
  return print(0, `${baselinePath} is written.\n`);
}

function print<Code>(code: Code, text: string): Code {
  process.stdout.write(text);
  return code;
}

function fail(why: string): 2 {
  process.stderr.write(`error: ${why}\n  npm run prose -- --help lists the arguments.\n`);
  return 2;
}
