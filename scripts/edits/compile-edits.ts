import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Edit } from "../../reference-server/edits/edit.ts";
import { editedFiles } from "../../reference-server/edits/load-edited.ts";

const root = join(import.meta.dirname, "../..");

/**
 * What TypeScript says of the sources that edits make, by the edit's id; nothing of those that compile. All are one
 * program in a temporary folder: each edited file lies beside the plain one, with the edit's id in its name.
 */
export async function compileEdits(edits: readonly Edit[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const folder = mkdtempSync(join(tmpdir(), "bylaw-edits-"));
  try {
    for (const name of ["node_modules", "generated", "package.json"]) symlinkSync(join(root, name), join(folder, name));
    cpSync(join(root, "reference-server"), join(folder, "reference-server"), { recursive: true });
    const files = edits.flatMap((edit) => writeEdited(folder, edit));
    const compilerOptions = {
      noUnusedLocals: false,
      noUnusedParameters: false,
      typeRoots: [join(root, "node_modules/@types")],
    };
    const config = { extends: join(root, "tsconfig.json"), compilerOptions, files, include: [] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    return faultsIn(await outputOfTsc(folder));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Writes the files that the edit changes, and gives their names. */
function writeEdited(folder: string, edit: Edit): readonly string[] {
  const texts = [...editedFiles([edit])].map(([url, text]) => [relative(root, fileURLToPath(url)), text] as const);
  return texts.map(([file, text]) => {
    // What it imports is the edited file where the same edit changes that too.
    const linked = texts.reduce((all, [other]) => {
      const path = relative(dirname(file), other);
      const specifier = path.startsWith(".") ? path : `./${path}`;
      return all.replaceAll(`"${specifier}"`, `"${named(specifier, edit.id)}"`);
    }, text);
    writeFileSync(join(folder, named(file, edit.id)), linked);
    return named(file, edit.id);
  });
}

const named = (file: string, id: string): string => file.replace(/\.ts$/, `.${id}.ts`);

async function outputOfTsc(folder: string): Promise<string> {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const ran = promisify(execFile)(process.execPath, [tsc, "--project", folder, "--pretty", "false"], {
    cwd: folder,
    maxBuffer: 64 * 1024 * 1024,
  });
  return ran.then(
    () => "",
    (problem: Error & { readonly stdout?: string }) => problem.stdout || Promise.reject(problem),
  );
}

function faultsIn(output: string): ReadonlyMap<string, readonly string[]> {
  const faults = new Map<string, string[]>();
  for (const line of output.split("\n").filter((each) => each.includes(": error TS"))) {
    const [, id = "the compilation"] = /^[\w/-]+\.([\w-]+)\.ts\(/.exec(line) ?? [];
    faults.set(id, [...(faults.get(id) ?? []), line]);
  }
  return faults;
}
