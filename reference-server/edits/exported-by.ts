import { globSync } from "node:fs";

/** All that the files of a folder of edits export, one by one or in lists, each once and in one order everywhere. */
export async function exportedBy(folder: "mutants" | "contrarians"): Promise<readonly unknown[]> {
  const files = globSync(`${folder}/*.ts`, { cwd: import.meta.dirname })
    .map((file) => file.replaceAll("\\", "/"))
    .sort();
  const modules: readonly object[] = await Promise.all(
    files.map((file): Promise<object> => import(new URL(file, import.meta.url).href)),
  );
  return [...new Set(modules.flatMap((module): readonly unknown[] => Object.values(module).flat()))];
}
