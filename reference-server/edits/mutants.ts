import { globSync } from "node:fs";
import type { Mutant } from "./edit.ts";

/** The files of mutants, in one order everywhere. */
const files = globSync("mutants/*.ts", { cwd: import.meta.dirname })
  .map((file) => file.replaceAll("\\", "/"))
  .sort();

const modules: readonly object[] = await Promise.all(
  files.map((file): Promise<object> => import(new URL(file, import.meta.url).href)),
);

const isMutant = (exported: unknown): exported is Mutant =>
  typeof exported === "object" &&
  exported !== null &&
  ["id", "does", "breaks", "changes"].every((name) => Object.hasOwn(exported, name));

/** Servers that break one rule each: all that the files of mutants export, one by one or in lists. */
export const mutants: readonly Mutant[] = [
  ...new Set(modules.flatMap((module): readonly unknown[] => Object.values(module).flat()).filter(isMutant)),
];
