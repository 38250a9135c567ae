import { counted } from "../../conformance/reports/counted.ts";
import type { DiffReport } from "./diff-report.ts";
import { findingsOf } from "./finding.ts";
import { isAccepted } from "./judged-change.ts";
import { verdicts } from "./severity.ts";

/** "2 breaking (1 accepted), 1 risky, 0 safe (at 5 places)": edits, each once by its gravest verdict. */
export function countsText({ changes }: DiffReport): string {
  const findings = findingsOf(changes);
  const text = verdicts
    .map((verdict) => {
      const listed = findings.filter((finding) => finding.verdict === verdict);
      const accepted = listed.filter(({ shown }) => isAccepted(shown)).length;
      return `${listed.length} ${verdict}${accepted > 0 ? ` (${accepted} accepted)` : ""}`;
    })
    .join(", ");
  return changes.length > findings.length ? `${text}, at ${counted(changes.length, "place")}` : text;
}
