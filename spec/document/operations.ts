import { globSync } from "node:fs";
import { basename } from "node:path";
import type { DocumentedOperation } from "./documented-operation.ts";

/** The files of the second entry; this one and tests are none. */
const files = globSync("*.ts", { cwd: import.meta.dirname })
  .filter((file) => !file.endsWith(".test.ts") && file !== basename(import.meta.filename))
  .sort();

const modules: readonly object[] = await Promise.all(
  files.map((file): Promise<object> => import(new URL(file, import.meta.url).href)),
);

const isOperation = (exported: unknown): exported is DocumentedOperation =>
  typeof exported === "object" &&
  exported !== null &&
  ["route", "scope", "answers", "open"].every((name) => Object.hasOwn(exported, name));

/** Operations of the document that are compared one by one: all that the files beside this one export, in lists. */
export const documentedOperations: readonly DocumentedOperation[] = [
  ...new Set(modules.flatMap((module): readonly unknown[] => Object.values(module).flat()).filter(isOperation)),
];
