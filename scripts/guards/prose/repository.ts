import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Baseline, countsOf } from "./baseline.ts";
import { judgeFile } from "./judge-file.ts";
import type { Problem } from "./problem.ts";

/** Files that the lint reads. TypeSpec sources have the words of the API document, and are not among them. */
const sources = ["*.md", "{docs,spec,compiler,reference-server,conformance,scripts}/**/*.{md,ts,js}"];

/** Facts in the words of the API document, and output of other commands. */
const isExempt = (path: string): boolean =>
  path.startsWith("spec/document") || path === "conformance/MATRIX.md" || path.includes("node_modules");

/** Paths of all files that the lint reads, below the root of the project. */
export const lintedPaths = (root: string): readonly string[] =>
  globSync(sources, { cwd: root })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => !isExempt(path))
    .sort();

/** Problems of each file, by path; files without problems have an empty list. */
export const judgeFiles = (root: string, paths: readonly string[]): ReadonlyMap<string, readonly Problem[]> =>
  new Map(paths.map((path) => [path, judgeFile(path, readFileSync(join(root, path), "utf8"))]));

export const countsByFile = (problems: ReadonlyMap<string, readonly Problem[]>): Baseline =>
  new Map([...problems].map(([path, found]) => [path, countsOf(found)]));
