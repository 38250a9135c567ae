import { existsSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { CannotRun } from "./cannot-run.ts";

/** Where a spec and what is made of it lie; absolute paths. */
export interface Project {
  /** The folder that holds the spec's folder. Places in problems are relative to it. */
  readonly root: string;
  readonly entry: string;
  readonly outDir: string;
}

export interface ProjectFlags {
  readonly spec?: string;
  readonly out?: string;
}

const usualEntry = join("spec", "main.tsp");

/** Of the project that the kit itself is made of. */
const ownEntry = join(import.meta.dirname, "../..", usualEntry);

/** The project that the flags name, else the nearest one at or above the working folder. */
export function projectFrom({ spec, out }: ProjectFlags): Project {
  const project = projectOf(spec === undefined ? nearestEntry() : entryFrom(spec));
  return out === undefined ? project : { ...project, outDir: resolve(out) };
}

function projectOf(entry: string): Project {
  const root = dirname(dirname(entry));
  return { root, entry, outDir: join(root, "generated") };
}

/** The nearest project, else the kit's own, in whichever folder: for what only reads the contract. */
export const projectOrOwn = (): Project => projectOf(entryAbove() ?? ownEntry);

function entryFrom(spec: string): string {
  const path = resolve(spec);
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const entry = isFolder ? join(path, "main.tsp") : path;
  if (existsSync(entry)) return entry;
  throw new CannotRun(`--spec ${spec}: There is no file ${shownPath(entry)}.\n  Name the entry file of a spec.`);
}

function entryAbove(): string | null {
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    const entry = join(folder, usualEntry);
    if (existsSync(entry)) return entry;
    if (folder === dirname(folder)) return null;
  }
}

function nearestEntry(): string {
  const entry = entryAbove();
  if (entry !== null) return entry;
  throw new CannotRun(
    `There is no ${usualEntry} here or in a folder above.\n  Run this in the project, or name the entry file of a spec with --spec.`,
  );
}

/** A path as the user sees it from the working folder. */
export function shownPath(path: string): string {
  const shown = relative(process.cwd(), path);
  return shown === "" ? "." : shown.startsWith(join("..", "..", "..")) ? path : shown;
}
