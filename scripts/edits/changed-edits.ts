import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { allEdits } from "../../reference-server/edits/all-edits.ts";
import type { NamedTrial } from "./trials.ts";

const root = join(import.meta.dirname, "../..");

/** Base, or where it is empty, origin/main, or where there is none, HEAD. */
function commitOf(base: string): string {
  if (base !== "") return base;
  try {
    execFileSync("git", ["rev-parse", "--verify", "--quiet", "origin/main"], { cwd: root, stdio: "ignore" });
    return "origin/main";
  } catch {
    return "HEAD";
  }
}

/** Paths of what differs from the commit, with what is not committed. Throws where git knows no such commit. */
export function filesChangedSince(base: string): readonly string[] {
  const git = (...args: readonly string[]): readonly string[] =>
    execFileSync("git", [...args], { cwd: root, encoding: "utf8" })
      .split("\n")
      .filter((line) => line !== "");
  return [...git("diff", "--name-only", commitOf(base), "--"), ...git("ls-files", "--others", "--exclude-standard")];
}

/**
 * Whether a trial may fare differently since these files changed: an edit's definition or the source that it changes,
 * and for those that run alone, a check of their rules or the rules' place in the contract.
 */
export async function concernedBy(changed: readonly string[]): Promise<(trial: NamedTrial) => boolean> {
  const among = new Set(changed);
  const definitions = await exportedIds("reference-server/edits/{mutants,contrarians}/*.ts", among);
  const checks = await exportedIds("conformance/checks/**/*.ts", among);
  const touchedRules = new Set([
    ...rulesOfContract.filter(({ place }) => among.has(place.file)).map(({ id }) => id),
    ...[...checks.values()].flatMap(({ rules = [] }) => rules),
  ]);
  const touchedEdits = new Set([
    ...definitions.keys(),
    ...allEdits
      .filter(({ changes }) =>
        changes.some((change) => "file" in change && among.has(`reference-server/${change.file}`)),
      )
      .map(({ id }) => id),
  ]);
  return ({ trial, rules }) =>
    trial.edits.some((id) => touchedEdits.has(id)) || rules.some((rule) => touchedRules.has(rule));
}

const { rules: rulesOfContract } = JSON.parse(readFileSync(join(root, "generated/contract.json"), "utf8")) as {
  readonly rules: readonly { readonly id: string; readonly place: { readonly file: string } }[];
};

interface Exported {
  readonly id: string;
  readonly rules?: readonly string[];
}

/** What the changed ones of these modules export, alone or in a list, by id. */
async function exportedIds(pattern: string, among: ReadonlySet<string>): Promise<ReadonlyMap<string, Exported>> {
  const files = globSync(pattern, { cwd: root }).filter(
    (file) => among.has(file) && !/\.test\.ts$|\/all\.ts$/.test(file),
  );
  const found = new Map<string, Exported>();
  for (const file of files) {
    const module: Readonly<Record<string, unknown>> = await import(pathToFileURL(join(root, file)).href);
    for (const each of Object.values(module).flat()) if (isExported(each)) found.set(each.id, each);
  }
  return found;
}

const isExported = (value: unknown): value is Exported =>
  typeof value === "object" && value !== null && "id" in value && typeof value.id === "string";
