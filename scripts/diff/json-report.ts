import type { Verdict } from "../../compiler/diff/change.ts";
import { countOf, type DiffReport, type FailOn, fails, failuresOf } from "./diff-report.ts";
import { findingsOf } from "./finding.ts";
import type { MergedAcceptance, StaleAcceptance } from "./judge-changes.ts";
import type { JudgedChange } from "./judged-change.ts";
import type { VersionAdvice } from "./version-advice.ts";

/** What the JSON report holds; the published schema describes it. */
export interface JsonReport {
  readonly format: 1;
  readonly base: string;
  readonly head: string;
  readonly extent: "contract" | "document";
  readonly reading: DiffReport["reading"];
  readonly failOn: FailOn;
  readonly exitCode: 0 | 1;
  readonly failures: readonly string[];
  readonly counts: Readonly<Record<Verdict, number>>;
  readonly version: VersionAdvice;
  /** The edits, each once, with the changes that follow from it by their index. */
  readonly findings: readonly {
    readonly subject: string;
    readonly verdict: Verdict;
    readonly message: string;
    readonly changes: readonly number[];
  }[];
  readonly changes: readonly JudgedChange[];
  /** What could not be read of either side. */
  readonly unread: readonly string[];
  readonly staleAcceptances: readonly StaleAcceptance[];
  readonly mergedAcceptances: readonly MergedAcceptance[];
}

export function jsonReport(report: DiffReport): JsonReport {
  const { base, head, extent, reading, failOn, version, changes, unread, stale, merged } = report;
  const counts = {
    breaking: countOf(report, "breaking"),
    risky: countOf(report, "risky"),
    safe: countOf(report, "safe"),
  };
  const indexes = new Map(changes.map((change, index) => [change, index]));
  const findings = findingsOf(changes).map(({ subject, verdict, shown, others }) => ({
    ...{ subject, verdict, message: shown.message },
    changes: [shown, ...others].flatMap((change) => indexes.get(change) ?? []),
  }));
  return {
    ...{ format: 1, base, head, extent, reading, failOn },
    ...{ exitCode: fails(report) ? 1 : 0, failures: failuresOf(report) },
    ...{ counts, version, findings, changes, unread, staleAcceptances: stale, mergedAcceptances: merged },
  };
}
