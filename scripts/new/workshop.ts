import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Place } from "../../compiler/contract.ts";
import { readLintContext } from "../../compiler/read-lint-context.ts";
import type { RulesLock } from "../../compiler/rules-lock.ts";
import { didYouMean } from "../../compiler/text/nearest-name.ts";
import { CannotRun } from "../commands/cannot-run.ts";
import { type ReadContract, readContract } from "../commands/contract-source.ts";
import { onFiles } from "../commands/on-files.ts";
import { type Project, projectFrom } from "../commands/project.ts";

/** What `bylaw new` looks at: the contract as it was compiled, and the sources as they are. */
export interface Workshop {
  readonly project: Project;
  readonly contract: ReadContract;
  /** What the spec declares now, compiled or not, by name. */
  readonly declarations: ReadonlyMap<string, Place>;
  /** Null before the first rule. */
  readonly lock: RulesLock | null;
  /** Text of a file of the project; null when there is none. */
  read(file: string): string | null;
}

export async function openWorkshop(): Promise<Workshop> {
  const project = projectFrom({});
  const contract = await readContract(project);
  const { context } = await onFiles(() => readLintContext(project.entry, project.root));
  return {
    ...{ project, contract, declarations: context.declarations, lock: context.lock },
    read(file) {
      const path = join(project.root, file);
      return existsSync(path) ? readFileSync(path, "utf8") : null;
    },
  };
}

/** Text of a file that must be there. */
export function needed({ read }: Workshop, file: string): string {
  const text = read(file);
  if (text !== null) return text;
  throw new CannotRun(
    `There is no ${file}, which this would go into.\n  Make it first, in the form of those beside it.`,
  );
}

/** Ids of rules as they stand in the spec now, compiled or not; a sentence may name one that is gone. */
export function ruleIdsInSpec({ contract, declarations, read }: Workshop): readonly string[] {
  const beside = [...declarations.values()].map(({ file }) => file.replace(/\.tsp$/, ".rules.tsp"));
  const files = new Set([...beside, ...contract.rules.map(({ place }) => place.file)]);
  return [...files].flatMap((file) => (read(file) ?? "").match(/[A-Z]{3,4}-\d{2,3}/g) ?? []);
}

/** Throws unless the contract, as it was compiled, has the rule: a check or a mutant of another does not pass the types. */
export function demandRule(id: string, workshop: Workshop): void {
  const known = workshop.contract.rules.map((rule) => rule.id);
  if (known.includes(id)) return;
  if (ruleIdsInSpec(workshop).includes(id))
    throw new CannotRun(
      `${id} stands in the spec and is not compiled yet.\n  Run "npx bylaw lock && npx bylaw compile" first.`,
    );
  throw new CannotRun(
    `${id.slice(0, 80)} is no rule of the contract.${didYouMean(id, known)}\n  Add it with "npx bylaw new rule", then npx bylaw lock && npx bylaw compile.`,
  );
}

export const placeText = ({ file, line }: Place): string => `${file}:${line}`;
