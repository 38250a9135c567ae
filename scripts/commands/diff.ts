import { mkdir, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type Command, Option } from "commander";
import type { Contract } from "../../compiler/contract.ts";
import type { Edit } from "../../compiler/diff/change.ts";
import { diff as changesBetween } from "../../compiler/diff/diff.ts";
import { pointerOf, tokensOf } from "../../compiler/diff/json-at.ts";
import { writtenAs } from "../../compiler/openapi/dialect.ts";
import { asPublished } from "../../compiler/publish/described-document.ts";
import { includes, type Reading, Work } from "../../compiler/schema/inclusion.ts";
import { mainService } from "../../compiler/service-of.ts";
import { paintWith } from "../../conformance/reports/paint.ts";
import { fileProblemText } from "../decisions/decision-file.ts";
import { atMergeBase } from "../diff/committed-contract.ts";
import { tellingProgress } from "../diff/comparison-progress.ts";
import { type DiffFormat, diffFormats, reportAs } from "../diff/diff-formats.ts";
import { type DiffReport, type FailOn, failLevels, fails } from "../diff/diff-report.ts";
import { jsonReportSchema } from "../diff/json-report-schema.ts";
import { judgeChanges } from "../diff/judge-changes.ts";
import {
  committedAcceptedChanges,
  findAcceptedFile,
  parseAcceptedFile,
  unreadableAcceptances,
} from "../diff/read-accepted-changes.ts";
import { readSide, readWorkingTree, type Side } from "../diff/read-side.ts";
import { severityFromFlag } from "../diff/severity.ts";
import { touchedChecks } from "../diff/touched-checks.ts";
import { versionAdvice } from "../diff/version-advice.ts";
import { progressLine } from "../soak/progress-line.ts";
import { CannotRun } from "./cannot-run.ts";
import { exitWith } from "./exit-with.ts";
import { onFiles } from "./on-files.ts";
import { projectFrom, shownPath } from "./project.ts";
import { usesColour } from "./uses-colour.ts";
import { wholeFrom } from "./whole-from.ts";
import { writeInPieces } from "./write-in-pieces.ts";

interface DiffFlags {
  readonly format: DiffFormat;
  readonly failOn: FailOn;
  readonly report: readonly string[];
  readonly accepted?: string;
  readonly tolerateMerged?: boolean;
  readonly mergeBase?: boolean;
  readonly severity: readonly string[];
  readonly checkVersion?: boolean;
  readonly strict?: boolean;
  readonly allPlaces?: boolean;
  readonly allowNetwork?: boolean;
  readonly budget: number;
  readonly timeLimit: number;
  readonly printAcceptances?: boolean;
  readonly printSchema?: boolean;
}

const collected = (value: string, before: readonly string[]): readonly string[] => [...before, value];

const positive = wholeFrom(1, 1_000_000_000);

/** Registers `diff`. Exit codes: see its help. */
export function addDiff(program: Command): void {
  program
    .command("diff")
    .description("compare two contracts and judge every change: breaking, risky or safe")
    .argument("[base]", "git ref, folder, .tsp file, contract.json or OpenAPI 3.0/3.1 document")
    .argument("[head]", "the same (default: the spec of the working tree, compiled)")
    .addOption(new Option("--format <form>", "what standard output gets").choices(diffFormats).default("text"))
    .option("--report <form=file>", "write the report in a format to a file too; repeatable", collected, [])
    .addOption(
      new Option("--fail-on <level>", "the mildest changes that give exit code 1")
        .choices(failLevels)
        .default("breaking"),
    )
    .option("--merge-base", "compare with the merge base of BASE, a git ref, and HEAD")
    .option(
      "--accepted <file>",
      "accepted changes and severities (default: .bylaw/accepted-changes.yaml, here or in a folder above)",
    )
    .option("--tolerate-merged", "do not fail for acceptances that the base has as well, until their last day")
    .option("--severity <id=verdict>", "judge a kind of change otherwise; repeatable", collected, [])
    .option("--check-version", "fail when the head's version is too small for the changes")
    .option("--strict", "read objects by the letter: where they are not closed, any further member may be there")
    .option("--all-places", "name every place that an edit reaches, and all that follows from it (text)")
    .option("--allow-network", "let a side be a URL of an OpenAPI document")
    .option(
      "--budget <steps>",
      "work on one comparison of two schemas; all of them get twelve times as much",
      positive,
      20_000,
    )
    .option(
      "--time-limit <seconds>",
      "last resort beside the steps, in processor time: what is not decided by then is risky",
      positive,
      300,
    )
    .option("--print-acceptances", "print an entry for each edit that fails, ready for the file of accepted changes")
    .option("--print-schema", "print the JSON Schema of --format json")
    .addHelpText("after", help)
    .action((base: string | undefined, head: string | undefined, flags: DiffFlags, self: Command) =>
      exitWith(self, () => diff(base, head, flags)),
    );
}

const help = `
A git ref means the generated/contract.json that was committed there; REF:PATH means a document of that commit.

A comparison that its budget does not suffice for is told as schema-undecided, which is risky; the same budget gives the
same answer on every machine, unless the time limit ends it.

Examples:
  npx bylaw diff origin/main                     what the working tree changes
  npx bylaw diff v1.0.0 v1.1.0 --format markdown
  npx bylaw diff old/openapi.yaml new/openapi.yaml --fail-on risky
  npx bylaw diff main:openapi.yaml openapi.yaml
  npx bylaw diff https://api.example.test/openapi.yaml openapi.yaml --allow-network
  npx bylaw diff main --report html=diff.html --report sarif=diff.sarif
  npx bylaw diff main --merge-base --print-acceptances
                                                 what to put into .bylaw/accepted-changes.yaml

Exit codes:
  0  no change as grave as --fail-on that is not accepted
  1  such a change, a stale acceptance, or with --check-version: a version that is too small
  2  bad usage, or a side or file that cannot be read`;

async function diff(base: string | undefined, head: string | undefined, flags: DiffFlags): Promise<0 | 1> {
  if (flags.printSchema === true) {
    process.stdout.write(`${JSON.stringify(jsonReportSchema, null, 2)}\n`);
    return 0;
  }
  if (base === undefined) {
    throw new CannotRun("There is nothing to compare with.\n  Name a base: npx bylaw diff BASE [HEAD], such as main.");
  }
  const today = new Date().toISOString().slice(0, 10);
  const files = flags.report.map(reportFile);
  const report = await compare(base, head, flags, today);
  letGo();
  for (const { format, path } of files) {
    await onFiles(async () => {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, reportAs(format, report, paintWith(false)));
    });
  }
  const format = flags.printAcceptances ? "acceptances" : flags.format;
  const printed = reportAs(format, report, paintWith(usesColour(process.stdout)));
  writeInPieces(process.stdout, printed);
  return fails(report) ? 1 : 0;
}

/** What `--report html=FILE` means. */
function reportFile(flag: string): { readonly format: DiffFormat; readonly path: string } {
  const [name = "", ...rest] = flag.split("=");
  const file = rest.join("=");
  const format = diffFormats.find((known) => known === name);
  if (format !== undefined && file !== "") return { format, path: resolve(file) };
  throw new CannotRun(
    `--report ${flag.slice(0, 200)}: This is not of the form FORMAT=FILE.\n  Formats: ${diffFormats.join(", ")}.`,
  );
}

/**
 * How much more than lives the heap may grow before it is collected, in percent. On a machine with much memory Node.js
 * would let it grow to several times that, and a runner in CI has little.
 */
const heapGrowth = 15;

/** Bytes of what comparisons leave behind that are let go before the report is made, which needs memory too. */
const muchLeft = 256 * 2 ** 20;

function letGo(): void {
  if (process.memoryUsage().heapUsed < muchLeft) return;
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") collect();
}

/** Comparisons that may take the whole of their budget, before those that are left get less. */
const comparisonsInFull = 12;

async function compare(
  baseName: string,
  headName: string | undefined,
  flags: DiffFlags,
  today: string,
): Promise<DiffReport> {
  setFlagsFromString(`--heap-growing-percent=${heapGrowth}`);
  const overrides = flags.severity.map(severityFromFlag);
  const file = await findAcceptedFile(flags.accepted);
  const { changes: decided, problems, placeEntries } = await parseAcceptedFile(file);
  // Entries are printed in place of those that can't be read.
  if (problems.length > 0 && !flags.printAcceptances) throw unreadableAcceptances(problems);
  for (const problem of problems) process.stderr.write(`${fileProblemText(problem)}\n`);
  const named = flags.mergeBase ? await atMergeBase(baseName, process.cwd()) : baseName;
  const base = await readSide(named, flags.allowNetwork === true);
  const head =
    headName === undefined
      ? await readWorkingTree(projectFrom({}))
      : await readSide(headName, flags.allowNetwork === true);
  const extent = base.extent === "document" || head.extent === "document" ? "document" : "contract";
  const compared = ({ contract, extent: own }: Side) =>
    extent === "document" && own === "contract" ? asPublished(contract) : contract;
  const reading: Reading = flags.strict === true ? "letter" : "names";
  const work = new Work({
    steps: flags.budget,
    stepsInAll: flags.budget * comparisonsInFull,
    milliseconds: flags.timeLimit * 1000,
  });
  const line = progressLine(process.stderr);
  const found = changesBetween(compared(base), compared(head), {
    includes: tellingProgress((one, other) => includes(one, other, reading, work), line),
    extent,
    reading,
  });
  line.end();
  if (work.endedByTime) {
    process.stderr.write(
      `The time limit of ${flags.timeLimit} s of processor time was reached: what was not decided by then is told as risky. Another machine may decide more.\n  A longer --time-limit decides more, a smaller --budget gives the same answer everywhere.\n`,
    );
  }
  const decisions = {
    // Of several for one id the last counts.
    head: { ...decided, severities: [...decided.severities, ...overrides] },
    base: base.ref === null ? null : await committedAcceptedChanges(base.ref, file),
    toleratesMerged: flags.tolerateMerged ?? false,
    today,
  };
  const judged = judgeChanges(found, decisions, await touchedChecks(found), ({ edit }) => {
    // That a member is required stands beside the members.
    const at = edit.keyword === "required" ? edit.at.replace(/\/properties\/[^/]*$/, "") : edit.at;
    const keywords = writtenAs(edit);
    return { base: base.lineOf(formerPlace(edit, at), keywords), head: head.lineOf(at, keywords) };
  });
  return {
    ...{ base: base.shown, head: head.shown, extent, reading, ...judged },
    unread: [...base.unread, ...head.unread],
    ...{ acceptedFile: { name: shownPath(file.path), exists: file.exists }, placeEntries, today },
    partial: base.extent !== head.extent,
    allPlaces: flags.allPlaces ?? false,
    version: versionAdvice(
      versionOf(base.contract),
      versionOf(head.contract),
      judged.changes,
      testingIn(head.contract),
    ),
    failOn: flags.failOn,
    checkVersion: flags.checkVersion ?? false,
  };
}

/** Where what has another name stood before. */
function formerPlace({ keyword, before: [old], after: [now] }: Edit, at: string): string {
  if (!keyword.endsWith("-changed") || typeof old !== "string" || typeof now !== "string") return at;
  return pointerOf(...tokensOf(at).map((token) => (token === now ? old : token)));
}

const versionOf = (contract: Contract): string => mainService(contract).document.info.version;

const testingIn = ({ services }: Contract): ReadonlySet<string> =>
  new Set(services.filter(({ testing }) => testing).map(({ name }) => name));
