import { allChecks } from "../../conformance/checks/all-checks.ts";
import { invariants } from "../../conformance/monitor/invariants.ts";
import { monitorId } from "../../conformance/monitor/monitor.ts";
import { rules } from "../../generated/rules.ts";
import type { Rule } from "../../generated/runtime/rule.ts";
import { mutants } from "../../reference-server/edits/mutants.ts";
import { completenessTable } from "../completeness/completeness.ts";
import type { Judgement } from "./judge.ts";
import { lawfulChoices } from "./lawful-choices.ts";
import { type MatrixRow, printMatrix } from "./matrix.ts";
import { judgedReports, sharesOf } from "./report-shares.ts";
import type { NamedTrial } from "./trials.ts";

/** What is published of a run of every trial, in the order of their catalogs. */
export function matrixOf(judged: ReadonlyMap<NamedTrial, Judgement>): string {
  const byName = new Map([...judged].map(([{ name }, judgement]) => [name, judgement]));
  const lawful = [...judged]
    .filter(([{ kind }]) => kind === "lawful")
    .map(([{ name, does }, { message }]) => ({ name: `${name}: ${does}`, verdict: message }))
    .sort((one, other) => one.name.localeCompare(other.name, "en", { numeric: true }));
  const choices = lawfulChoices.map((choice) => ({
    ...{ name: choice.name, does: choice.does },
    seenIn: [...judged.keys()]
      .filter(({ pack }) => pack.includes(choice))
      .map(({ name }) => name.replace(/^lawful /, "")),
  }));
  return printMatrix({
    rows: rowsOf(byName),
    lawful,
    choices,
    reports: sharesOf(judgedReports(judged)),
    completeness: completenessTable(),
  });
}

function rowsOf(byName: ReadonlyMap<string, Judgement>): readonly MatrixRow[] {
  return Object.entries<Rule>(rules).map(([rule, { level, unobservable, draft }]) => {
    const checks = [
      ...allChecks.filter((check) => check.rules.some((r) => r === rule)).map(({ id }) => id),
      ...(invariants.some((i) => i.rule === rule) ? [monitorId] : []),
    ].sort();
    const own = mutants
      .filter((mutant) => mutant.breaks === rule)
      .map(({ id }) => {
        const judgement = byName.get(`mutant ${id}`);
        return { id, killedBy: judgement?.holds ? [...judgement.checks].sort() : [] };
      });
    const reason =
      unobservable ??
      (draft === undefined ? null : `a draft of ${draft.owner} until ${draft.expires}`) ??
      (checks.length === 0 ? "no operation shows it yet" : own.length === 0 ? "no mutant" : null);
    return { rule, level, checks, mutants: own, reason };
  });
}
