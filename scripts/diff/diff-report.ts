import type { Change, Edit, Verdict } from "../../compiler/diff/change.ts";
import { gravity } from "../../compiler/diff/change.ts";
import { editText } from "../../compiler/diff/edit-text.ts";
import { valueAt } from "../../compiler/diff/json-at.ts";
import type { SourceLine } from "../../compiler/openapi/source-line.ts";
import type { Reading } from "../../compiler/schema/inclusion.ts";
import { counted } from "../../conformance/reports/counted.ts";
import type { Acceptance, PlaceAcceptance } from "./accepted-changes.ts";
import { findingsOf } from "./finding.ts";
import type { MergedAcceptance, StaleAcceptance } from "./judge-changes.ts";
import { isAccepted, type JudgedChange } from "./judged-change.ts";
import { type VersionAdvice, versionText } from "./version-advice.ts";

/** A comparison with its outcome, for every format. */
export interface DiffReport {
  readonly base: string;
  readonly head: string;
  /** `document`: only what OpenAPI says was compared, as one side is an OpenAPI document. */
  readonly extent: "contract" | "document";
  /** One side says more than was compared: a contract beside an OpenAPI document. */
  readonly partial: boolean;
  /** Whether lists are told whole where a terminal would get their beginning. */
  readonly allPlaces: boolean;
  /** How objects that are not closed were read; see `Reading`. */
  readonly reading: Reading;
  readonly changes: readonly JudgedChange[];
  /** What could not be read of either side, each with its place; what uses it was not compared. */
  readonly unread: readonly string[];
  /** Acceptances of edits that were not made; they fail. */
  readonly stale: readonly StaleAcceptance[];
  /** Acceptances that the base has as well, so that they accept nothing. They are only listed. */
  readonly merged: readonly MergedAcceptance[];
  /** The file in which acceptances are looked for, as it is shown, and whether it is there. */
  readonly acceptedFile: { readonly name: string; readonly exists: boolean };
  /** Entries of that file that name places and no edits; they accept nothing. */
  readonly placeEntries: readonly PlaceAcceptance[];
  /** The day of the comparison in UTC: `YYYY-MM-DD`. */
  readonly today: string;
  readonly version: VersionAdvice;
  readonly failOn: FailOn;
  /** Whether a version that is too small fails. */
  readonly checkVersion: boolean;
}

export const failLevels = ["breaking", "risky", "none"] as const;
export type FailOn = (typeof failLevels)[number];

export const countOf = ({ changes }: DiffReport, verdict: Verdict): number =>
  changes.filter((change) => change.verdict === verdict).length;

/** Whether a change is as grave as the level that fails, and nobody has accepted it. */
export function isFailing(change: JudgedChange, failOn: FailOn): boolean {
  if (isAccepted(change)) return false;
  switch (failOn) {
    case "none":
      return false;
    case "breaking":
    case "risky":
      return gravity[change.verdict] <= gravity[failOn];
  }
}

/** Why the comparison fails, in sentences; none when it does not. */
export function failuresOf(report: DiffReport): readonly string[] {
  const { changes, failOn, stale, version, checkVersion } = report;
  const failing = findingsOf(changes).filter(({ shown }) => isFailing(shown, failOn)).length;
  return [
    ...(failing > 0 ? [`Not accepted: ${counted(failing, "change")} as grave as --fail-on ${failOn}.`] : []),
    ...stale.map(staleText),
    ...(checkVersion && version.enough !== true ? [`${versionText(version)} (--check-version)`] : []),
  ];
}

export const fails = (report: DiffReport): boolean => failuresOf(report).length > 0;

function staleText(entry: StaleAcceptance): string {
  const { where, missing, found, merged } = entry;
  const head = `Stale acceptance: ${where}:`;
  if (merged) return `${head} the base has this entry already, so it accepts nothing. Remove it.`;
  const told = `${head} nobody made the edit "${entryText(entry)}" at ${placesText(missing)}.`;
  const instead = found.slice(0, shownPlaces).map((edit) => `"${editedText(edit)}"`);
  const made = instead.length === 0 ? "" : ` The edit there is ${instead.join(", ")}.`;
  return `${told}${made} Remove the entry, or replace it by what --print-acceptances prints.`;
}

export function mergedText(entry: MergedAcceptance): string {
  const { where, at, expires, repeated } = entry;
  const told = `Spent acceptance: ${where}: the base has this entry already, so it accepts nothing.`;
  const edit = `"${entryText(entry)}" at ${placesText(at)}`;
  return repeated
    ? `${told} This change makes the same edit again: ${edit}. To accept it again, write another reason or day.`
    : `${told} It was about ${edit}. Remove it; after ${expires} it fails.`;
}

/** The edit of an entry, in the words of the report. */
const entryText = ({ keyword, from, to, at: [at = ""] }: Acceptance): string =>
  editedText({ at, keyword, before: from, after: to });

/** An edit in few words; of one without values the kind of change. */
const editedText = (edit: Edit): string =>
  edit.before.length + edit.after.length === 0 ? edit.keyword : editText(edit, "request");

/** Places that are named before the rest is counted. */
const shownPlaces = 3;

const placesText = (places: readonly string[]): string => {
  const rest = places.length > shownPlaces ? ` and ${places.length - shownPlaces} more` : "";
  return `${places.slice(0, shownPlaces).join(", ")}${rest}`;
};

/** What a reader must not overlook: verdicts that are not bylaw's own, and acceptances that count no longer. */
export function warningsOf({ changes, merged, unread }: DiffReport): readonly string[] {
  const overridden = changes.filter(({ override }) => override !== null).length;
  const expired = changes.filter(({ acceptance }) => acceptance?.expired === true).length;
  return [
    ...unread.map((one) => `NOT READ: ${one}`),
    ...(overridden > 0
      ? [
          `OVERRIDDEN: ${counted(overridden, "verdict")} of this report ${overridden === 1 ? "is" : "are"} the project's, not bylaw's.`,
        ]
      : []),
    ...(expired > 0
      ? [`EXPIRED: ${counted(expired, "acceptance")} of this report ${expired === 1 ? "counts" : "count"} no longer.`]
      : []),
    ...merged.map(mergedText),
  ];
}

/** Where a change stands, as `file:line:column` as far as it is known. */
export function placeText({ place }: Change): string | null {
  if (place === null) return null;
  return [place.file, place.line, place.column].filter((part) => part !== null).join(":");
}

/** Characters of a document's line that are shown. */
const shownLine = 120;

/** The lines of the documents in which the edited part stands, `-` before and `+` after. */
export function linesText({ lines: { base, head } }: JudgedChange): readonly string[] {
  const told = (mark: string, { file, line, text }: SourceLine): string =>
    `${mark} ${file}:${line}  ${text.length > shownLine ? `${text.slice(0, shownLine)}…` : text}`;
  return [...(base === null ? [] : [told("-", base)]), ...(head === null ? [] : [told("+", head)])];
}

/** The first word of every heading: what the exit code is. */
export const outcomeWord = (report: DiffReport): string => (fails(report) ? "Fails" : "Passes");

/** What can be done where changes fail; null where none does. */
export function adviceText(report: DiffReport): string | null {
  if (!report.changes.some((change) => isFailing(change, report.failOn))) return null;
  const { suggested } = report.version;
  const { name, exists } = report.acceptedFile;
  const version = suggested === null ? "" : ` A release with them is ${suggested} or later.`;
  return `Undo the changes or make them another way; or accept them for a time: run this again with --print-acceptances, and put what it prints into ${name}${exists ? "" : ", which is not there yet"}.${version}`;
}

/** That less was compared than one side says; null where all was. */
export const extentText = ({ partial }: DiffReport): string | null =>
  partial ? "One side is an OpenAPI document: only what OpenAPI says is compared." : null;

/**
 * What shows a change, in words; null when there is nothing to show. Of a value with more characters than the limit the
 * part is shown that is refused, where it has one.
 */
export function evidenceText({ evidence }: Change, limit: number): string | null {
  if (evidence === null) return null;
  if (evidence.kind === "unproven") return `no value shown: ${evidence.why}`;
  const { value, refusedBy, at, keyword } = evidence;
  const [text, part] = [value, valueAt(value, at)].map((json) => JSON.stringify(json));
  const other = refusedBy === "head" ? "base" : "head";
  if (text !== undefined && text.length > limit && part !== undefined && at !== "") {
    return `${cut(part, limit)} at ${at}, in a value of ${text.length} characters, is valid in ${other}, refused by "${keyword}" in ${refusedBy}`;
  }
  return `${cut(text ?? "", limit)} is valid in ${other}, refused by "${keyword}"${at === "" ? "" : ` at ${at}`} in ${refusedBy}`;
}

const cut = (text: string, limit: number): string =>
  text.length > limit ? `${text.slice(0, limit)}… (${text.length - limit} characters more)` : text;

/** That a verdict is not bylaw's own; null when it is. */
export function overrideText({ override, verdict }: JudgedChange): string | null {
  if (override === null) return null;
  const { from, reason, where } = override;
  return `OVERRIDDEN: ${from} → ${verdict} by ${where}${reason === null ? "" : `: ${reason}`}`;
}

/** What the project decided on a change; null when nothing. */
export function acceptanceText({ acceptance }: JudgedChange): string | null {
  if (acceptance === null) return null;
  const { owner, reason, expires, expired, where } = acceptance;
  return expired
    ? `EXPIRED: the acceptance by ${owner} ended with ${expires} (${where}): ${reason}`
    : `accepted by ${owner} until ${expires} (${where}): ${reason}`;
}

/** What a change touches, in words; null when nothing. */
export function touchedText({ rules, checks }: JudgedChange): string | null {
  if (rules.length === 0) return null;
  const decided = checks === null || checks.length === 0 ? "" : `; checks: ${shortList(checks)}`;
  return `rules: ${shortList(rules)}${decided}`;
}

/** Names shown before the rest is counted. */
const shownNames = 8;

const shortList = (names: readonly string[]): string =>
  names.length <= shownNames
    ? names.join(", ")
    : `${names.slice(0, shownNames).join(", ")} and ${names.length - shownNames} more`;

/** How objects that are not closed were read, in a sentence. */
export const readingText = ({ reading }: DiffReport): string =>
  reading === "names"
    ? "Open objects are read by the names in their schemas: what nobody names is not exchanged (--strict: by the letter)."
    : "Open objects are read by the letter: any further member may be there (--strict).";
