import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize, resolve } from "node:path";
import { expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");

/** Folders that each folder's files import from, but for itself. */
type Imports = ReadonlyMap<string, ReadonlySet<string>>;

/** What sources import, by their folders; `sources` are texts by their paths. */
function importsOf(sources: Iterable<readonly [path: string, text: string]>): Imports {
  const imports = new Map<string, Set<string>>();
  for (const [path, text] of sources) {
    const folder = dirname(path);
    const known = imports.get(folder) ?? new Set();
    for (const [, from = ""] of text.matchAll(/(?:from|import\(|import) ?"(\.[^"]+)"/g)) {
      const other = dirname(normalize(join(folder, from))).replaceAll("\\", "/");
      if (other !== folder) known.add(other);
    }
    imports.set(folder, known);
  }
  return imports;
}

/** Folders from which imports lead back to themselves. */
function inCycles(imports: Imports): readonly string[] {
  const reached = (from: string): ReadonlySet<string> => {
    const found = new Set<string>();
    const next = [...(imports.get(from) ?? [])];
    for (let folder = next.pop(); folder !== undefined; folder = next.pop()) {
      if (found.has(folder)) continue;
      found.add(folder);
      next.push(...(imports.get(folder) ?? []));
    }
    return found;
  };
  return [...imports.keys()].filter((folder) => reached(folder).has(folder)).sort();
}

it.each([
  ["conformance", 30],
  ["reference-server/domain", 20],
])("no folder of %s imports what imports it", (folder, least) => {
  const files = globSync(`${folder}/**/*.ts`, { cwd: root })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => !/\.test(-d)?\.ts$/.test(file));
  const imports = importsOf(files.map((file) => [file, readFileSync(join(root, file), "utf8")] as const));
  expect(imports.size).toBeGreaterThan(least);
  expect(inCycles(imports), "move what both need to the folder below").toEqual([]);
});

it("a cycle of folders is found where no files import each other, be it of types alone", () => {
  const imports = importsOf([
    ["kit/steps/a.ts", 'import { b } from "./makers/b.ts";'],
    ["kit/steps/makers/b.ts", 'import { c } from "../../context/c.ts";'],
    ["kit/context/c.ts", 'import type { d } from "../steps/d.ts";'],
    ["kit/checks/e.ts", 'import { a } from "../steps/a.ts";'],
  ]);
  expect(inCycles(imports)).toEqual(["kit/context", "kit/steps", "kit/steps/makers"]);
});
