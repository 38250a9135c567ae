import { rename, writeFile } from "node:fs/promises";
import { relative } from "node:path";
import type { Command } from "commander";
import type { Contract } from "../../compiler/contract.ts";
import type { Problem } from "../../compiler/problem.ts";
import { lockPathOf, readLock } from "../../compiler/read-lint-context.ts";
import { readTypeSpec } from "../../compiler/read-typespec.ts";
import { emptyLock, printRulesLock, type Relocking, relock } from "../../compiler/rules-lock.ts";
import { didYouMean } from "../../compiler/text/nearest-name.ts";
import { counted } from "../../conformance/reports/counted.ts";
import { type Paint, paintWith } from "../../conformance/reports/paint.ts";
import { updateLists } from "../lists/kept-list.ts";
import { specList } from "../lists/spec-list.ts";
import { CannotRun } from "./cannot-run.ts";
import { exitWith } from "./exit-with.ts";
import { listed } from "./listed.ts";
import { onFiles } from "./on-files.ts";
import { problemCounts, problemsText } from "./problem-text.ts";
import { type Project, projectFrom, shownPath } from "./project.ts";
import { usesColour } from "./uses-colour.ts";

interface LockFlags {
  readonly spec?: string;
  readonly change?: readonly string[];
}

/** Registers `lock`. Exit codes: see its help. */
export function addLock(program: Command): void {
  program
    .command("lock")
    .description(
      "bring rules.lock in line with the spec: add new rule ids and mark vanished ones as retired; the sentence of an id that stays is replaced only if you say so",
    )
    .option("--change <ids...>", "rules that demand the same as before in other words", listed)
    .option("--spec <file>", "entry file (default: spec/main.tsp here or in a folder above)")
    .addHelpText("after", help)
    .action((flags: LockFlags, self: Command) => exitWith(self, () => lock(flags)));
}

const help = `
Examples:
  npx bylaw lock                    after adding or removing a rule
  npx bylaw lock --change KEYC-15   after rewording a rule that demands the same as before

Exit codes:
  0  the lock is in line with the spec
  1  the spec has errors, reuses a retired id, or changes a sentence unasked; nothing was written
  2  bad usage, or a file that cannot be read or written`;

async function lock(flags: LockFlags): Promise<0 | 1> {
  const project = projectFrom(flags);
  const paint = paintWith(usesColour(process.stdout));
  const path = lockPathOf(project.entry);
  updateLists(project.root, [specList(project.root)]);
  const [{ contract, problems }, held] = await onFiles(() =>
    Promise.all([readTypeSpec(project.entry, project.root), readLock(project.entry, project.root)]),
  );
  const faults = [...problems, ...held.problems];
  if (contract === null || held.problems.length > 0) return refuse(faults, project, paint);
  const mayChange = knownIds(flags.change ?? [], contract);
  const before = held.lock ?? emptyLock(relative(project.root, path));
  const result = relock(contract, before, mayChange);
  if (result.problems.length > 0) return refuse(result.problems, project, paint);
  if (held.lock === null || result.added.length + result.retired.length + result.changed.length > 0) {
    await onFiles(() => replaceFile(path, printRulesLock(result.lock)));
  }
  process.stdout.write(summary(result, shownPath(path), paint));
  return 0;
}

function refuse(problems: readonly Problem[], { root, entry }: Project, paint: Paint): 1 {
  const path = shownPath(lockPathOf(entry));
  const end = `${paint.red("✘")} ${problemCounts(problems)}; ${path} is untouched.\n`;
  process.stdout.write(`${problemsText(problems, root, paint)}\n${end}`);
  return 1;
}

function knownIds(given: readonly string[], contract: Contract): ReadonlySet<string> {
  const ids = new Set(contract.rules.map((rule) => rule.id));
  const unknown = given.find((id) => !ids.has(id));
  if (unknown === undefined) return new Set(given);
  throw new CannotRun(`--change ${unknown.slice(0, 80)}: The spec declares no such rule.${didYouMean(unknown, ids)}`);
}

/** Readers see the old file or the new one, never a half. */
async function replaceFile(path: string, text: string): Promise<void> {
  const beside = `${path}.${process.pid}`;
  await writeFile(beside, text);
  await rename(beside, path);
}

function summary({ added, retired, changed, lock: { entries } }: Relocking, path: string, paint: Paint): string {
  const line = (verb: string, ids: readonly string[]): string =>
    ids.length === 0 ? "" : `  ${verb} ${ids.join(", ")}\n`;
  const lines = line("added", added) + line("retired", retired) + line("changed", changed);
  const state = lines === "" ? "is up to date" : "is in line with the spec";
  return `${lines}${paint.green("✔")} ${path} ${state}: ${counted(entries.length, "rule id")}.\n`;
}
