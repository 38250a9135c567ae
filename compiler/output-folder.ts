import { mkdir, mkdtemp, readdir, readFile, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";

/** How a file of the output folder differs from what the contract gives. */
export interface FileChange {
  /** Relative to the output folder, with `/`. */
  readonly path: string;
  readonly change: "missing" | "stale" | "superfluous";
}

/** Files by path relative to the output folder. */
export type Files = ReadonlyMap<string, string>;

/** A folder that was not made by the compiler, so that files in it may not be removed. */
export class ForeignFolder extends Error {
  override readonly name = "ForeignFolder";
}

/** The file that marks a folder as output of the compiler. */
const mark = "contract.json";

/** What would have to change in the folder; a hidden file in it is nobody's business. Throws `ForeignFolder`. */
export async function compareOutput(folder: string, files: Files): Promise<readonly FileChange[]> {
  const present = await filesIn(folder);
  if (present.length > 0 && !present.includes(mark)) {
    throw new ForeignFolder(`${folder} is not empty and holds no ${mark}, so it is no output of an earlier run.`);
  }
  const known = new Set(present);
  const written = await Promise.all(
    [...files].map(async ([path, text]): Promise<readonly FileChange[]> => {
      if (!known.has(path)) return [{ path, change: "missing" }];
      const same = Buffer.from(text).equals(await readFile(join(folder, path)));
      return same ? [] : [{ path, change: "stale" }];
    }),
  );
  const superfluous = present
    .filter((path) => !files.has(path))
    .map((path): FileChange => ({ path, change: "superfluous" }));
  return [...written.flat(), ...superfluous].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * Makes the changes, all or none: new files are first written whole to a folder beside the output, old ones are moved
 * there instead of being overwritten, and both go back if a step fails. Files that stay equal are not touched.
 */
export async function changeOutput(folder: string, files: Files, changes: readonly FileChange[]): Promise<void> {
  if (changes.length === 0) return;
  await mkdir(dirname(folder), { recursive: true });
  const beside = await mkdtemp(join(dirname(folder), `.${basename(folder)}-`));
  const undo: (() => Promise<void>)[] = [];
  const move = async (from: string, to: string): Promise<void> => {
    await mkdir(dirname(to), { recursive: true });
    await rename(from, to);
    undo.push(() => rename(to, from));
  };
  try {
    for (const { path } of changes) await stage(join(beside, "new", path), files.get(path));
    for (const { path, change } of changes) {
      if (change !== "missing") await move(join(folder, path), join(beside, "old", path));
      if (change !== "superfluous") await move(join(beside, "new", path), join(folder, path));
    }
  } catch (error) {
    for (const step of undo.reverse()) await step();
    await rm(beside, { recursive: true, force: true });
    throw error;
  }
  await rm(beside, { recursive: true, force: true });
  await removeEmptied(folder, changes);
}

async function stage(path: string, text: string | undefined): Promise<void> {
  if (text === undefined) return;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

/** Folders that lost their last file go too. */
async function removeEmptied(folder: string, changes: readonly FileChange[]): Promise<void> {
  const left = changes.filter(({ change }) => change === "superfluous").map(({ path }) => dirname(path));
  for (const path of new Set(left)) {
    for (let at = path; at !== "."; at = dirname(at)) {
      const entries = await readdir(join(folder, at)).catch(() => [""]);
      if (entries.length > 0) break;
      await rmdir(join(folder, at));
    }
  }
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return [];
      throw error;
    },
  );
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((path) => !path.split("/").some((name) => name.startsWith(".")));
}
