import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { styleText } from "node:util";
import { allChecks } from "../conformance/checks/all-checks.ts";
import { invariants } from "../conformance/monitor/invariants.ts";
import { monitorId } from "../conformance/monitor/monitor.ts";
import { rules } from "../generated/rules.ts";
import type { Rule } from "../generated/runtime/rule.ts";
import { mutants } from "../reference-server/edits/mutants.ts";
import type { Judgement } from "./edits/judge.ts";
import { type MatrixRow, printMatrix } from "./edits/matrix.ts";
import { lawfulTrials, mutantTrials, type NamedTrial } from "./edits/trials.ts";
import { tryAll } from "./edits/try-edits.ts";

/** Runs every edited server, or those whose name contains an argument, and publishes the outcome of a whole run. */
const only = process.argv.slice(2).filter((argument) => !argument.startsWith("-"));
const trials = [...mutantTrials(), ...lawfulTrials()];
const chosen = trials.filter(({ name }) => only.length === 0 || only.some((part) => name.includes(part)));

let processorTotal = 0;
const started = Date.now();
const judged = new Map<NamedTrial, Judgement>();
await tryAll(
  chosen,
  availableParallelism(),
  (each) => each.trial,
  (each, { outcome, processorMs }) => {
    processorTotal += processorMs;
    const judgement = each.judge(outcome);
    judged.set(each, judgement);
    const { holds, message, checks } = judgement;
    const mark = holds ? styleText("green", "✔") : styleText("red", "✘");
    const said = holds && checks.length > 0 ? `killed by ${checks.join(", ")}` : message.slice(0, 200);
    console.log(`${mark} ${judged.size}/${chosen.length} ${each.name}: ${said}`);
  },
);

const bad = [...judged].filter(([, { holds }]) => !holds);
for (const [{ name, does }, { message }] of bad) console.log(styleText("red", `${name} (${does}): ${message}`));
if (only.length === 0) {
  const file = join(import.meta.dirname, "../conformance/MATRIX.md");
  writeFileSync(file, printMatrix({ rows: matrixRows(), lawful: lawfulVerdicts() }));
  console.log("conformance/MATRIX.md written");
}
const seconds = (Date.now() - started) / 1000;
console.log(
  `${seconds.toFixed(0)} s, ${(processorTotal / 1000 / Math.max(1, judged.size)).toFixed(2)} s of processor time for each`,
);
console.log(`${judged.size - bad.length} passed, ${bad.length} failed`);
process.exitCode = bad.length > 0 || judged.size === 0 ? 1 : 0;

function matrixRows(): MatrixRow[] {
  return Object.entries<Rule>(rules).map(([rule, { level, unobservable }]) => {
    const checks = [
      ...allChecks.filter((check) => check.rules.some((r) => r === rule)).map(({ id }) => id),
      ...(invariants.some((i) => i.rule === rule) ? [monitorId] : []),
    ].sort();
    const own = mutants
      .filter((mutant) => mutant.breaks === rule)
      .map((mutant) => ({ id: mutant.id, killedBy: killersOf(mutant.id) }));
    const reason =
      unobservable ?? (checks.length === 0 ? "no operation shows it yet" : own.length === 0 ? "no mutant" : null);
    return { rule, level, checks, mutants: own, reason };
  });
}

function killersOf(id: string): readonly string[] {
  const [, judgement] = [...judged].find(([{ trial }]) => trial.edits.length === 1 && trial.edits[0] === id) ?? [];
  return judgement?.holds ? [...judgement.checks].sort() : [];
}

function lawfulVerdicts(): { readonly name: string; readonly verdict: string }[] {
  return trials.flatMap((each) => {
    const judgement = judged.get(each);
    return each.kind === "lawful" && judgement
      ? [{ name: `${each.name}: ${each.does}`, verdict: judgement.message }]
      : [];
  });
}
