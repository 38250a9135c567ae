import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** One replacement in a file. */
export interface SourceEdit {
  /** Path below the project. */
  readonly file: string;
  /** Text that occurs there once. */
  readonly find: string;
  readonly replace: string;
}

/** A copy of the project to change at will. */
export interface ScratchCopy {
  readonly root: string;
  dispose(): void;
}

export const project = resolve(import.meta.dirname, "../..");

/** What compiling, serving and verifying need. */
const parts = ["spec", "compiler", "generated", "reference-server", "conformance", "scripts", "package.json"];

/** Copies the project, its packages linked, with some edits made. Throws when one does not fit any more. */
export function scratchCopy(...edits: readonly SourceEdit[]): ScratchCopy {
  const root = mkdtempSync(join(tmpdir(), "bylaw-propagation-"));
  for (const part of parts) cpSync(join(project, part), join(root, part), { recursive: true });
  symlinkSync(join(project, "node_modules"), join(root, "node_modules"), "junction");
  for (const { file, find, replace } of edits) {
    const path = join(root, file);
    const pieces = readFileSync(path, "utf8").split(find);
    if (pieces.length !== 2)
      throw new Error(`${file} holds ${JSON.stringify(find)} ${pieces.length - 1} times, not once.`);
    writeFileSync(path, pieces.join(replace));
  }
  return { root, dispose: () => rmSync(root, { recursive: true, force: true }) };
}
