import type { Verdict } from "../../compiler/diff/change.ts";
import type { ChangeId } from "../../compiler/diff/change-table.ts";

/** A change that its owner has accepted, for a time. */
export interface Acceptance {
  readonly id: ChangeId;
  /** As the report names it; null for a change that belongs to no operation. */
  readonly operation: string | null;
  readonly pointer: string;
  readonly reason: string;
  readonly owner: string;
  /** The last day on which it holds, in UTC: `YYYY-MM-DD`. */
  readonly expires: string;
  /** `file:line:column` of the entry. */
  readonly where: string;
}

/** Another verdict for every change with one id. */
export interface SeverityOverride {
  readonly id: ChangeId;
  readonly verdict: Verdict;
  /** Null only where nothing is lowered from breaking. */
  readonly reason: string | null;
  /** `file:line:column`, or the flag. */
  readonly where: string;
}

/** What a project has decided about changes: the content of its file. */
export interface AcceptedChanges {
  readonly accepted: readonly Acceptance[];
  readonly severities: readonly SeverityOverride[];
}

/** What a change is known by, in the file and between runs. */
export const keyOf = (change: Pick<Acceptance, "id" | "operation" | "pointer">): string =>
  JSON.stringify([change.id, change.operation, change.pointer]);
