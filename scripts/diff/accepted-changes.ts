import type { Json } from "../../compiler/contract.ts";
import type { Change, Verdict } from "../../compiler/diff/change.ts";
import type { ChangeId } from "../../compiler/diff/change-table.ts";
import { canonicalJson } from "../../compiler/schema/canonical-json.ts";
import type { Answerable } from "../decisions/decision-file.ts";

/** An edit whose consequences its owner has accepted, for a time. */
export interface Acceptance extends Answerable {
  /** As `fingerprint` of the changes. */
  readonly fingerprint: string;
  /** The kinds of consequences that are accepted. */
  readonly ids: readonly ChangeId[];
  /** JSON Pointers to what was edited, as `at` of the edits. */
  readonly at: readonly string[];
  readonly keyword: string;
  /** The values before the edit. */
  readonly from: readonly Json[];
  /** The values after it. */
  readonly to: readonly Json[];
  /** `file:line:column` of the entry. */
  readonly where: string;
}

/** An entry that names the place of a change, without its edit, as earlier versions wrote them; it accepts nothing. */
export interface PlaceAcceptance extends Answerable {
  readonly id: string;
  readonly operation: string | null;
  readonly pointer: string;
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

/** The decisions of a project about changes: the content of its file. */
export interface AcceptedChanges {
  readonly accepted: readonly Acceptance[];
  readonly severities: readonly SeverityOverride[];
}

/** Equal for entries about the same edit at the same places. */
export const keyOf = ({ fingerprint, ids, at, keyword, from, to }: Acceptance): string =>
  canonicalJson([fingerprint, ids.toSorted(), at.toSorted(), keyword, [...from], [...to]]);

/** True if an entry is about the edit of a change, at the place where that was made. */
export const isAboutEdit = (entry: Acceptance, { edit, fingerprint }: Change): boolean =>
  entry.fingerprint === fingerprint &&
  entry.at.includes(edit.at) &&
  entry.keyword === edit.keyword &&
  canonicalJson([...entry.from]) === canonicalJson([...edit.before]) &&
  canonicalJson([...entry.to]) === canonicalJson([...edit.after]);
