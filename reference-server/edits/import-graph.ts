import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseSync } from "oxc-parser";

let importers: ReadonlyMap<string, readonly string[]> | undefined;

/** These files of the server and all that import one of them, however indirectly; as URLs. */
export function importersOf(folder: URL, files: readonly string[]): ReadonlySet<string> {
  importers ??= readImporters(folder);
  const found = new Set(files);
  for (const file of found) for (const importer of importers.get(file) ?? []) found.add(importer);
  return found;
}

/** By file: what imports it while the server runs. Types are gone by then. */
function readImporters(folder: URL): ReadonlyMap<string, readonly string[]> {
  const by = new Map<string, string[]>();
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".ts") || name.endsWith(".test.ts") || name.startsWith("edits")) continue;
    const url = new URL(name, folder).href;
    const { module } = parseSync(name, readFileSync(fileURLToPath(url), "utf8"));
    const imported = module.staticImports.filter(
      ({ entries }) => entries.length === 0 || entries.some((e) => !e.isType),
    );
    const exported = module.staticExports.flatMap(({ entries }) => entries.filter((e) => !e.isType));
    const requests = [
      ...imported.map(({ moduleRequest }) => moduleRequest.value),
      ...exported.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ];
    for (const request of requests.filter((r) => r.startsWith("."))) {
      const file = new URL(request, url).href;
      by.set(file, [...(by.get(file) ?? []), url]);
    }
  }
  return by;
}
