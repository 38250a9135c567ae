import type { Check } from "../context/check.ts";
import { knownGaps } from "./known-gaps.ts";
import { isSamePromise, type PromisedRow, promisedRows, promiseText, raisedBy } from "./promised-row.ts";

/** Rows that operations declare, that no check raises, and of which nobody has said why. */
export function unraisedRows(checks: readonly Check[]): readonly PromisedRow[] {
  const isRaised = raisedBy(checks);
  return promisedRows.filter(
    (promise) => !isRaised(promise) && !knownGaps.some((known) => isSamePromise(known, promise)),
  );
}

/** What the contract promises and these checks cannot put to the test; null where there is nothing of the kind. */
export function gapNotice(checks: readonly Check[]): string | null {
  const rows = unraisedRows(checks);
  if (rows.length === 0) return null;
  return [
    "The contract promises what no check raises:",
    ...rows.map((row) => `  ${promiseText(row)}`),
    "Decide a rule on each in a check, or say why none can in conformance/promises/known-gaps.ts.",
  ].join("\n");
}
