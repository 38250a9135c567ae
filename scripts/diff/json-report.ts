import type { Change, Verdict } from "../../compiler/diff/change.ts";
import { countOf, type DiffReport, type FailOn, fails } from "./diff-report.ts";

/** What the JSON report holds; the published schema describes it. */
export interface JsonReport {
  readonly format: 1;
  readonly base: string;
  readonly head: string;
  readonly extent: "contract" | "document";
  readonly failOn: FailOn;
  readonly exitCode: 0 | 1;
  readonly counts: Readonly<Record<Verdict, number>>;
  readonly changes: readonly Change[];
}

export function jsonReport(report: DiffReport): JsonReport {
  const { base, head, extent, failOn, changes } = report;
  const counts = {
    breaking: countOf(report, "breaking"),
    risky: countOf(report, "risky"),
    safe: countOf(report, "safe"),
  };
  return { format: 1, base, head, extent, failOn, exitCode: fails(report) ? 1 : 0, counts, changes };
}
