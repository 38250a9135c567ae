import { join } from "node:path";
import { type Command, Option } from "commander";
import { paintWith } from "../../conformance/reports/paint.ts";
import { compiledBefore, noteCompiled, stateOf, upToDateText } from "./compiled-before.ts";
import { exitWith } from "./exit-with.ts";
import { type Project, type ProjectFlags, projectFrom, shownPath } from "./project.ts";
import { usesColour } from "./uses-colour.ts";

interface CompileFlags extends ProjectFlags {
  readonly check?: boolean;
  readonly watch?: boolean;
}

/** Registers `compile`. Exit codes: see its help. */
export function addCompile(program: Command): void {
  program
    .command("compile")
    .description("compile the spec into documents, types and bindings; a spec with errors leaves the output untouched")
    .option("--check", "write nothing; fail when a generated file is missing, stale or superfluous")
    .addOption(new Option("--watch", "compile again whenever a file of the spec changes").conflicts("check"))
    .option("--out <folder>", "where generated files go (default: generated/ beside the spec's folder)")
    .option("--spec <file>", "entry file (default: spec/main.tsp here or in a folder above)")
    .addHelpText("after", help)
    .action((flags: CompileFlags, self: Command) => exitWith(self, () => compile(flags)));
}

const help = `
Examples:
  npx bylaw compile            after a change in spec/
  npx bylaw compile --check    in a pipeline: is generated/ what the spec gives?
  npx bylaw compile --watch    while writing a spec

Exit codes:
  0  compiled; with --check: up to date
  1  the contract has problems, or with --check: generated files differ
  2  bad usage, or a file that cannot be read or written`;

/** The project that this compiler is of: what else has a part in a compilation is not known of others. */
const own = join(import.meta.dirname, "../..");
const noteFile = join(own, "node_modules/.cache/bylaw-compiled.json");

const isOwn = ({ entry, outDir }: Project): boolean =>
  entry === join(own, "spec", "main.tsp") && outDir === join(own, "generated");

async function compile({ check = false, watch = false, ...flags }: CompileFlags): Promise<0 | 1> {
  const project = projectFrom(flags);
  // Whoever asks for a check wants to know what comes out, and not what came out before.
  const state = isOwn(project) && !check && !watch ? stateOf(own) : null;
  const before = state === null ? null : compiledBefore(noteFile, state);
  if (before !== null) {
    process.stdout.write(upToDateText(shownPath(project.outDir), before, paintWith(usesColour(process.stdout))));
    return 0;
  }
  // The compiler of TypeSpec takes long to load.
  const { compileProject } = await import("./compile-project.ts");
  return compileProject(project, {
    check,
    watch,
    upToDate(note) {
      // Not where somebody changed something meanwhile.
      if (state !== null && state === stateOf(own)) noteCompiled(noteFile, state, note);
    },
  });
}
