import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { counted } from "../../conformance/reports/counted.ts";
import type { Paint } from "../../conformance/reports/paint.ts";

/** What the last compilation gave that changed nothing and had nothing to tell. */
export interface CompiledNote {
  /** Generated files. */
  readonly files: number;
  readonly rules: number;
}

/** All that a compilation reads or writes, the compiler itself and its dependencies included. */
const parts = ["spec", "compiler", "generated", "conformance", "reference-server", "scripts", "docs"];
const single = ["README.md", "CONTRIBUTING.md", "package.json", "package-lock.json"];

/** Digest of all that a compilation reads or writes, by names and contents; null where something of it is missing. */
export function stateOf(root: string): string | null {
  try {
    const hash = createHash("sha256").update(process.version);
    const folders = parts.flatMap((part) => filesIn(join(root, part)));
    for (const path of [...folders, ...single.map((name) => join(root, name))].sort()) {
      const content = readFileSync(path);
      hash.update(`\n${relative(root, path).replaceAll(sep, "/")} ${content.length}\n`).update(content);
    }
    return hash.digest("hex");
  } catch {
    return null;
  }
}

/** What was noted of a project in that state; null where it was in another, or nothing was noted that can be read. */
export function compiledBefore(noteFile: string, state: string): CompiledNote | null {
  try {
    const { state: then, files, rules } = JSON.parse(readFileSync(noteFile, "utf8"));
    return then === state ? { files, rules } : null;
  } catch {
    return null;
  }
}

/** Notes what a project in that state gives. Where that cannot be written, the next compilation does all again. */
export function noteCompiled(noteFile: string, state: string, { files, rules }: CompiledNote): void {
  try {
    mkdirSync(dirname(noteFile), { recursive: true });
    writeFileSync(noteFile, JSON.stringify({ state, files, rules }));
  } catch {
    // An installation that cannot be written to compiles as well.
  }
}

export const summaryOf = ({ files, rules }: CompiledNote): string =>
  `${counted(files, "file")}, ${counted(rules, "rule")}`;

export const upToDateText = (folder: string, note: CompiledNote, paint: Paint): string =>
  `${paint.green("✔")} ${folder} is up to date: ${summaryOf(note)}.\n`;

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
