import { globSync } from "node:fs";
import { basename } from "node:path";
import { type KeptList, listBanner } from "./kept-list.ts";

/**
 * Imports every file of the spec, but for the `main.tsp` of a folder, which says what the folder is, and the vocabulary,
 * which is a package of its own.
 */
export function specList(root: string): KeptList {
  const file = "spec/all.tsp";
  const files = globSync("spec/**/*.tsp", { cwd: root, exclude: ["spec/vocabulary/**"] })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => basename(path) !== "main.tsp" && path !== file)
    .map((path) => `import "./${path.slice("spec/".length)}";\n`);
  return { file, text: [listBanner, ...files.sort()].join("") };
}
