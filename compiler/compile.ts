import { relative } from "node:path";
import type { Contract } from "./contract.ts";
import { lint } from "./lint/lint.ts";
import { changeOutput, compareOutput, type FileChange, type Files, ForeignFolder } from "./output-folder.ts";
import { printAll } from "./print/print-all.ts";
import type { Problem } from "./problem.ts";
import { readLintContext } from "./read-lint-context.ts";
import { readTypeSpec } from "./read-typespec.ts";

export interface CompileOptions {
  /** Folder that places are relative to; absolute. */
  readonly root: string;
  /** Entry file of the spec; absolute. */
  readonly entry: string;
  /** Folder of the generated files; absolute. */
  readonly outDir: string;
  /** Compare with what is there, and write nothing. */
  readonly check: boolean;
  /** What the contract is printed as. */
  readonly print?: (contract: Contract) => Files;
}

/** What became of a spec. */
export type CompileOutcome =
  /** Something is wrong with it; nothing was written. */
  | { readonly kind: "refused"; readonly problems: readonly Problem[] }
  /** `changes` were made, or, when only checked, would have to be made. */
  | {
      readonly kind: "compiled";
      /** Warnings only. */
      readonly problems: readonly Problem[];
      readonly contract: Contract;
      readonly changes: readonly FileChange[];
      /** Files that the contract gives. */
      readonly files: number;
    };

/**
 * Reads a spec, lints it, prints it and brings the output folder in line with it. Throws `ForeignFolder` when the
 * folder holds something else, and what the file system throws; whatever happens, the folder is never left half
 * written.
 */
export async function compileContract(options: CompileOptions): Promise<CompileOutcome> {
  const { root, entry, outDir, check, print = printAll } = options;
  if (!relative(outDir, entry).startsWith("..")) {
    throw new ForeignFolder(`${outDir} holds the spec itself, so generated files may not go there.`);
  }
  const { contract, problems } = await lintSpec(entry, root);
  if (contract === null || problems.some((problem) => problem.severity === "error")) {
    return { kind: "refused", problems };
  }
  const files = print(contract);
  const changes = await compareOutput(outDir, files);
  if (!check) await changeOutput(outDir, files, changes);
  return { kind: "compiled", problems, contract, changes, files: files.size };
}

/** Reads a spec and lints it; the contract is null when it could not be read. */
export async function lintSpec(
  entry: string,
  root: string,
): Promise<{ readonly contract: Contract | null; readonly problems: readonly Problem[] }> {
  const [reading, inputs] = await Promise.all([readTypeSpec(entry, root), readLintContext(entry, root)]);
  const { contract } = reading;
  const breaches = contract === null ? [] : lint(contract, inputs.context);
  return { contract, problems: [...reading.problems, ...inputs.problems, ...breaches] };
}
