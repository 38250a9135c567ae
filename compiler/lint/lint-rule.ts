import type { Contract, Place } from "../contract.ts";
import type { Problem } from "../problem.ts";
import type { RulesLock } from "../rules-lock.ts";

/** What the rules may know beside the contract. */
export interface LintContext {
  /** Null when there is no lock file yet. */
  readonly lock: RulesLock | null;
  /** Declarations of the spec by name, members as `Model.property`; empty when the contract has no TypeSpec source. */
  readonly declarations: ReadonlyMap<string, Place>;
}

/** One rule: every breach of it in a contract. */
export type LintRule = (contract: Contract, context: LintContext) => readonly Problem[];

/** A breach; all of them keep a contract from being compiled. */
export function breach(code: string, place: Place | null, message: string, fix: string): Problem {
  return { code, severity: "error", message, fix, place };
}
