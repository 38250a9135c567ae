import type { Contract } from "../contract.ts";
import type { Problem } from "../problem.ts";
import type { LintContext } from "./lint-rule.ts";
import { lintRules } from "./rules.ts";

/** Everything that the rules find wrong with a contract, by file and line; what has no place comes last. */
export function lint(contract: Contract, context: LintContext): readonly Problem[] {
  return lintRules.flatMap((rule) => rule(contract, context)).sort(byPlace);
}

function byPlace({ place: a }: Problem, { place: b }: Problem): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}
