import type { Mutant } from "./edit.ts";
import { exportedBy } from "./exported-by.ts";

const isMutant = (exported: unknown): exported is Mutant =>
  typeof exported === "object" &&
  exported !== null &&
  ["id", "does", "breaks", "changes"].every((name) => Object.hasOwn(exported, name));

/** Servers that break one rule each: all that the files of mutants export. */
export const mutants: readonly Mutant[] = (await exportedBy("mutants")).filter(isMutant);
