import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Command, Option } from "commander";
import { didYouMean } from "../../compiler/text/nearest-name.ts";
import { type Paint, paintWith } from "../../conformance/reports/paint.ts";
import { labelled } from "../../conformance/reports/text-layout.ts";
import { errorRows } from "../../generated/error-rows.ts";
import { operations } from "../../generated/operations.ts";
import type { BreakingMutant } from "../explain/checklist.ts";
import { type Explanation, explanationsOf } from "../explain/explanation.ts";
import { namesIn, type Subject, subjectOf } from "../explain/subject.ts";
import { CannotRun } from "./cannot-run.ts";
import { readContract } from "./contract-source.ts";
import { type DecidingCheck, decidingChecks } from "./deciding-checks.ts";
import { exitWith } from "./exit-with.ts";
import { type Project, projectOrOwn, shownPath } from "./project.ts";
import { usesColour } from "./uses-colour.ts";

interface ExplainFlags {
  readonly format: "text" | "json";
}

/** Registers `explain`. Exit codes: see its help. */
export function addExplain(program: Command): void {
  program
    .command("explain")
    .description("explain a part of the compiled contract: what it says, what it rests on, where it stands")
    .argument("<name>", "rule, open question or its option, error row or code, scope, bucket, operation or check")
    .addOption(new Option("--format <form>", "what standard output gets").choices(["text", "json"]).default("text"))
    .addHelpText("after", help)
    .action((name: string, flags: ExplainFlags, self: Command) => exitWith(self, () => explain(name, flags)));
}

const examples: readonly (readonly [name: string, what: string])[] = [
  ["KEYC-15", "a rule"],
  ["Q24", "an open question"],
  ["bucketAlgorithm", "the option of one, as serve --choices takes it"],
  [errorRows.RateLimited.code, "an error code"],
  [operations.createApiKey.scope, "a scope"],
  ["apiKeyWrites", "a bucket"],
  [operations.createApiKey.id, "an operation"],
  ["limits.api-key-burst", "a check"],
];

const help = `
Examples:
${examples.map(([name, what]) => `  npx bylaw explain ${name.padEnd(24)} ${what}`).join("\n")}

Exit codes:
  0  explained
  2  there is no such name, or the contract cannot be read`;

async function explain(name: string, { format }: ExplainFlags): Promise<0> {
  const project = projectOrOwn();
  const contract = await readContract(project);
  const checks = await decidingChecks();
  const subject = subjectOf(name, contract, checks ?? []);
  if (subject === null) {
    const shown = name.slice(0, 80);
    throw new CannotRun(
      `"${shown}" is no rule, question, option, error, scope, bucket, operation or check.${didYouMean(name, namesIn(contract, checks ?? []))}\n  npx bylaw rules lists the rules; npx bylaw explain --help shows what else has a name.`,
    );
  }
  if (format === "json") {
    process.stdout.write(`${JSON.stringify(jsonOf(subject, checks), null, 2)}\n`);
    return 0;
  }
  const explanations = await explanationsOf(subject, {
    contract,
    placeOf: (file, ...texts) => placeOf(project, file, texts),
    find: (pattern, text) => firstPlace(project, pattern, text),
    checks,
    mutants: subject.kind === "operation" ? await breakingMutants() : null,
  });
  const paint = paintWith(usesColour(process.stdout));
  process.stdout.write(explanations.map((one) => explanationText(one, paint)).join("\n"));
  return 0;
}

function jsonOf(subject: Subject, checks: readonly DecidingCheck[] | null): object {
  const idsOf = (decides: (check: DecidingCheck) => boolean) => checks?.filter(decides).map(({ id }) => id) ?? null;
  if (subject.kind === "rule") return { ...subject, checks: idsOf(({ rules }) => rules.includes(subject.rule.id)) };
  if (subject.kind !== "operation") return subject;
  return { ...subject, checks: idsOf(({ operation }) => operation === subject.operation.id) };
}

function explanationText({ title, sentence, lines }: Explanation, paint: Paint): string {
  const width = Math.min(process.stdout.columns ?? 100, 120);
  const labelWidth = Math.max(...lines.map(([label]) => label.length)) + 2;
  const rows = lines.flatMap(([label, text]) =>
    labelled("", text, 0, width - labelWidth - 2).map(
      (row, index) => `  ${paint.dim((index === 0 ? label : "").padEnd(labelWidth))}${row}`,
    ),
  );
  const said = labelled("", sentence, 0, width - 2).map((row) => `  ${row}`);
  return `${[paint.bold(title), ...said, "", ...rows].join("\n")}\n`;
}

const isNoTest = (file: string): boolean => !/\.test(-d)?\.ts$/.test(file);

/** The place of the first file of the project that the pattern names and that holds the text. */
function firstPlace(project: Project, pattern: string, text: RegExp): string | null {
  for (const file of globSync(pattern, { cwd: project.root }).filter(isNoTest).sort()) {
    const holds = readFileSync(join(project.root, file), "utf8")
      .split("\n")
      .some((line) => text.test(line));
    if (holds) return placeOf(project, file, [text]);
  }
  return null;
}

/** The mutants of the server; null when they cannot be told, as before the first compilation. */
async function breakingMutants(): Promise<readonly BreakingMutant[] | null> {
  try {
    const { mutants } = await import("../../reference-server/edits/mutants.ts");
    return mutants.map(({ breaks, at = null }) => ({ breaks, at }));
  } catch {
    // They import generated/, which may be missing or older than the spec.
    return null;
  }
}

/** The compiled contract keeps files only, as line numbers change with every edit: the line is looked up. */
function placeOf({ root }: Project, file: string, texts: readonly RegExp[]): string {
  const path = join(root, file);
  try {
    const lines = readFileSync(path, "utf8").split("\n");
    const found = texts.map((text) => lines.findIndex((line) => text.test(line))).find((index) => index >= 0);
    return found === undefined ? shownPath(path) : `${shownPath(path)}:${found + 1}`;
  } catch {
    return `${shownPath(path)}, which is no longer there`;
  }
}
