import { apiOperations } from "../../conformance/context/for-each-operation.ts";
import type { Rule } from "../../generated/runtime/rule.ts";
import { percentOf, type Share } from "./report-shares.ts";

/** How one rule fared against its mutants. */
export interface MatrixRow {
  readonly rule: string;
  readonly level: Rule["level"];
  /** Checks that decide it. */
  readonly checks: readonly string[];
  readonly mutants: readonly { readonly id: string; readonly killedBy: readonly string[] }[];
  /** Why there is no check or no mutant; null when there are both. */
  readonly reason: string | null;
}

/** What is published about the strength of the kit. */
export interface Matrix {
  readonly rows: readonly MatrixRow[];
  readonly lawful: readonly { readonly name: string; readonly verdict: string }[];
  /** Every lawful choice, with the names of the servers that were run with it. */
  readonly choices: readonly { readonly name: string; readonly does: string; readonly seenIn: readonly string[] }[];
  /** What the reports of mutants say of their faults. */
  readonly reports: readonly Share[];
  /** What the contract has and what of it is put to the test, as a table. */
  readonly completeness: string;
}

/** The matrix as Markdown. The same outcomes give the same bytes. */
export function printMatrix({ rows, lawful, choices, reports, completeness }: Matrix): string {
  const mutants = rows.flatMap((row) => row.mutants);
  const killed = mutants.filter((m) => m.killedBy.length > 0);
  const survivors = mutants.filter((m) => m.killedBy.length === 0);
  const proven = rows.filter((row) => row.mutants.some((m) => m.killedBy.length > 0));
  return `<!-- Written by "npm run edits". Do not edit. -->

# What the kit can detect

${proven.length} of ${rows.length} rules have a check that was seen to fail on a server that breaks the rule. ${killed.length} of ${mutants.length} mutants are killed by a check of
their own rule; survivors: ${survivors.length === 0 ? "none" : survivors.map((m) => `\`${m.id}\``).join(", ")}. ${choices.length} lawful choices were run
in ${lawful.length} servers.

${completeness}

## Reports

Each mutant's report is judged by a program: of the trial that found it, which ends with the first breach of its rule.

| the reports of mutants | share |
| --- | --- |
${reports.map((share) => `| ${share.wanted} | ${percentOf(share)} |`).join("\n")}

## Rules

| rule | level | checks | mutants, and what killed them |
| --- | --- | --- | --- |
${rows.map(line).join("\n")}

## Lawful servers

| server | verdict |
| --- | --- |
${lawful.map(({ name, verdict }) => `| ${inCell(name)} | ${verdict} |`).join("\n")}

## Lawful choices

| choice | what it does | seen in |
| --- | --- | --- |
${choices.map(({ name, does, seenIn }) => `| ${name} | ${inCell(does)} | ${seenIn.join(", ")} |`).join("\n")}
`;
}

const inCell = (text: string): string => text.replaceAll("|", "\\|");

function line({ rule, level, checks, mutants, reason }: MatrixRow): string {
  const kills = mutants
    .map((m) => `\`${m.id}\` ${m.killedBy.length > 0 ? `✔ ${folded(m.killedBy)}` : "✘ survives"}`)
    .join("<br>");
  return `| ${rule} | ${level} | ${folded(checks) || "–"} | ${kills || (reason ?? "–")} |`;
}

/** The checks, those that are made for each operation as one: "authentication.scopes (10 operations)". */
function folded(checks: readonly string[]): string {
  const families = Map.groupBy(checks, familyOf);
  return [...families]
    .map(([family, members]) => (members.length === 1 ? members[0] : `${family} (${members.length} operations)`))
    .join(", ");
}

const familyOf = (check: string): string =>
  apiOperations.some(({ id }) => check.endsWith(`.${id}`)) ? check.slice(0, check.lastIndexOf(".")) : check;
