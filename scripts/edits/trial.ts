import { monitorId } from "../../conformance/monitor/monitor.ts";
import type { Shapes } from "../../conformance/target/shapes.ts";
import type { Choices } from "../../generated/choices.ts";
import type { RuleId } from "../../generated/rules.ts";
import type { ToldReport } from "./told-report.ts";

/** One run of the kit against an edited server. */
export interface Trial {
  /** Ids of the edits in force at once. */
  readonly edits: readonly string[];
  /** Options of the server that differ from the reference's. */
  readonly choices: Readonly<Partial<Choices>>;
  /** What the target file says of shapes. */
  readonly shapes: Shapes;
  /** What to run: rules or checks; empty for all. */
  readonly only: readonly string[];
  readonly seed: number;
  /** Checks at a time; null for as many as fit. */
  readonly jobs: number | null;
  /** The rule at whose first breach or warning the run ends; null to run everything. */
  readonly until: RuleId | null;
}

export type TrialOutcome =
  | {
      readonly kind: "ran";
      readonly rules: readonly RuleOutcome[];
      /** What the server logged as a failure of its own. */
      readonly failures: readonly string[];
      readonly report: ToldReport;
    }
  /** There is no result that could be trusted. */
  | { readonly kind: "broken"; readonly message: string };

/** What the monitor found, with the check in whose course it did. */
export const seenByMonitor = (check: string): string => `${monitorId} in ${check}`;

export interface RuleOutcome {
  readonly id: string;
  readonly verdict: string;
  readonly message: string;
  /** Checks that gave the verdict; what the monitor found as `seenByMonitor` has it. */
  readonly checks: readonly string[];
}
