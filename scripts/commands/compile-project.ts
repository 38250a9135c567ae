import { dirname, join } from "node:path";
import { type CompileOutcome, compileContract } from "../../compiler/compile.ts";
import type { FileChange } from "../../compiler/output-folder.ts";
import { counted } from "../../conformance/reports/counted.ts";
import { type Paint, paintWith } from "../../conformance/reports/paint.ts";
import { arrangementList } from "../lists/arrangement-list.ts";
import { staleLists, updateLists } from "../lists/kept-list.ts";
import { routeLists } from "../lists/route-lists.ts";
import { specList } from "../lists/spec-list.ts";
import { CannotRun } from "./cannot-run.ts";
import { type CompiledNote, summaryOf, upToDateText } from "./compiled-before.ts";
import { onFiles } from "./on-files.ts";
import { problemCounts, problemsText } from "./problem-text.ts";
import { type Project, shownPath } from "./project.ts";
import { usesColour } from "./uses-colour.ts";
import { watchSpec } from "./watch-spec.ts";

interface CompileManner {
  readonly check: boolean;
  readonly watch: boolean;
  /** Is told where nothing had to be written and nothing to be said. */
  readonly upToDate: (note: CompiledNote) => void;
}

/** Compiles a project, and again after each change when it is watched; tells what came of it. */
export async function compileProject(project: Project, { check, watch, upToDate }: CompileManner): Promise<0 | 1> {
  const paint = paintWith(usesColour(process.stdout));
  const once = async (): Promise<0 | 1> => {
    const settle = check ? staleLists : updateLists;
    const read = settle(project.root, [specList(project.root)]);
    const outcome = await onFiles(() => compileContract({ ...project, check }));
    if (outcome.kind === "refused") {
      process.stdout.write(refusedText(outcome, project, paint));
      return 1;
    }
    const lists = [
      ...read,
      ...settle(project.root, [...routeLists(outcome.contract), arrangementList(project.root)]),
    ].map(({ file }) => file);
    process.stdout.write(compiledText(outcome, lists, project, check, paint));
    if (outcome.changes.length + lists.length + outcome.problems.length === 0) {
      upToDate({ files: outcome.files, rules: outcome.contract.rules.length });
    }
    return check && outcome.changes.length + lists.length > 0 ? 1 : 0;
  };
  const result = await once();
  if (!watch) return result;
  const folder = dirname(project.entry);
  process.stdout.write(`Watching ${shownPath(folder)}; end with Ctrl-C.\n`);
  await watchSpec(folder, async (changed) => {
    const names = changed.map(shownPath).join(", ");
    process.stdout.write(`\n${paint.dim(new Date().toTimeString().slice(0, 8))} ${names} changed\n`);
    if (changed.some((path) => path.endsWith(".ts"))) {
      process.stdout.write("A decorator is loaded only once: start the command again to use its change.\n");
    }
    // A file may be gone for a moment; the next change brings another try.
    await once().catch((problem: unknown) => {
      if (!(problem instanceof CannotRun)) throw problem;
      process.stderr.write(`error: ${problem.message}\n`);
    });
  });
  return 0;
}

type Refused = Extract<CompileOutcome, { kind: "refused" }>;
type Compiled = Extract<CompileOutcome, { kind: "compiled" }>;

const told = ({ problems }: CompileOutcome, { root }: Project, paint: Paint): string =>
  problems.length > 0 ? `${problemsText(problems, root, paint)}\n` : "";

const refusedText = (outcome: Refused, project: Project, paint: Paint): string =>
  `${told(outcome, project, paint)}${paint.red("✘")} ${problemCounts(outcome.problems)}; ${shownPath(project.outDir)} is untouched.\n`;

/** `lists` are the lists of the project's files that changed, or would have to. */
function compiledText(
  outcome: Compiled,
  lists: readonly string[],
  project: Project,
  check: boolean,
  paint: Paint,
): string {
  const { changes, files, contract } = outcome;
  const out = shownPath(project.outDir);
  const before = told(outcome, project, paint);
  const note = { files, rules: contract.rules.length };
  const changed = [
    ...changes.map((change) => changeText(change, out, check)),
    ...lists.map((file) => `${shownPath(join(project.root, file))} ${check ? "is stale" : "updated"}`),
  ];
  const list = changed.map((line) => `  ${line}\n`).join("");
  if (changed.length === 0) return `${before}${upToDateText(out, note, paint)}`;
  if (check) {
    return `${before}${list}${paint.red("✘")} ${out} is stale: ${counted(changed.length, "file")} of ${files + lists.length} differ. Run "npx bylaw compile" and commit the result.\n`;
  }
  return `${before}${list}${paint.green("✔")} ${out}: ${summaryOf(note)}; ${changed.length} changed.\n`;
}

function changeText({ path, change }: FileChange, out: string, check: boolean): string {
  const file = `${out}/${path}`;
  if (check) return `${file} is ${change}`;
  switch (change) {
    case "missing":
      return `${file} added`;
    case "stale":
      return `${file} updated`;
    case "superfluous":
      return `${file} removed`;
  }
}
