import type { Change, Verdict } from "../../compiler/diff/change.ts";

/** A comparison with its outcome, for every format. */
export interface DiffReport {
  readonly base: string;
  readonly head: string;
  /** `document`: only what OpenAPI says was compared, as one side is an OpenAPI document. */
  readonly extent: "contract" | "document";
  readonly changes: readonly Change[];
  readonly failOn: FailOn;
}

export const failLevels = ["breaking", "risky", "none"] as const;
export type FailOn = (typeof failLevels)[number];

export const verdicts: readonly Verdict[] = ["breaking", "risky", "safe"];

export const countOf = ({ changes }: DiffReport, verdict: Verdict): number =>
  changes.filter((change) => change.verdict === verdict).length;

/** Whether the changes are as grave as the level that fails. */
export function fails(report: DiffReport): boolean {
  const { failOn } = report;
  switch (failOn) {
    case "none":
      return false;
    case "breaking":
      return countOf(report, "breaking") > 0;
    case "risky":
      return countOf(report, "breaking") + countOf(report, "risky") > 0;
  }
}

/** "2 breaking, 1 risky, 0 safe". */
export const countsText = (report: DiffReport): string =>
  verdicts.map((verdict) => `${countOf(report, verdict)} ${verdict}`).join(", ");

/** Where a change stands, as `file:line:column` as far as it is known. */
export function placeText({ place }: Change): string | null {
  if (place === null) return null;
  return [place.file, place.line, place.column].filter((part) => part !== null).join(":");
}

/** What a change is about: its operation, else the part of the contract. */
export const subjectOf = ({ operation, area, service }: Change): string =>
  operation ?? `${area}${service === "sandbox" ? " (sandbox)" : ""}`;

/** What shows a change, in words; null when there is nothing to show. */
export function evidenceText({ evidence }: Change, limit: number): string | null {
  if (evidence === null) return null;
  if (evidence.kind === "unproven") return `no value shown: ${evidence.why}`;
  const { value, refusedBy, at, keyword } = evidence;
  const text = JSON.stringify(value);
  const shown = text.length > limit ? `${text.slice(0, limit)}… (${text.length - limit} characters more)` : text;
  const other = refusedBy === "head" ? "base" : "head";
  return `${shown} is valid in ${other}, refused by "${keyword}"${at === "" ? "" : ` at ${at}`} in ${refusedBy}`;
}
