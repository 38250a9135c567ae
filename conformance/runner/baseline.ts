/** A failure that a project knows of and puts up with for a time. */
export interface BaselineEntry {
  readonly rule: string;
  /** Ids of the checks that see it; empty for all. */
  readonly checks: readonly string[];
  /** Ids of the operations at which it is seen; empty for all. */
  readonly operations: readonly string[];
  readonly reason: string;
  readonly owner: string;
  /** The last day on which it holds, in UTC: `YYYY-MM-DD`. */
  readonly expires: string;
  /** `file:line:column` of the entry. */
  readonly where: string;
}

/** The failures that a project knows of: the content of its file. */
export interface Baseline {
  /** The file as places call it. */
  readonly file: string;
  readonly entries: readonly BaselineEntry[];
}

/** A known failure that is still there. */
export interface KnownFailure extends BaselineEntry {
  /** Days after that of the run on which it still holds. */
  readonly daysLeft: number;
  /** The rule keeps organizations apart: one may be shown what belongs to another. */
  readonly possibleLeak: boolean;
}

/** An entry that is to be changed; it fails the run. */
export interface StaleEntry extends BaselineEntry {
  readonly why: string;
  readonly fix: string;
}

/** An entry of which the run cannot tell whether it is stale; it fails nothing. */
export interface UntriedEntry extends BaselineEntry {
  readonly why: string;
}

/** What a run says about its baseline. */
export interface Baselined {
  readonly file: string;
  /** Ids of the broken rules of which every failure is known; they do not fail the run. */
  readonly rules: readonly string[];
  readonly known: readonly KnownFailure[];
  readonly stale: readonly StaleEntry[];
  readonly untried: readonly UntriedEntry[];
}
