import { counted } from "../../conformance/reports/counted.ts";
import { countOf, type DiffReport } from "./diff-report.ts";
import { findingsOf } from "./finding.ts";
import { isAccepted } from "./judged-change.ts";
import { verdicts } from "./severity.ts";

/** "2 breaking (1 accepted), 1 risky (at 3 places), 0 safe": edits, each once wherever it shows. */
export const countsText = (report: DiffReport): string =>
  verdicts
    .map((verdict) => {
      const listed = report.changes.filter((change) => change.verdict === verdict);
      const [findings, places] = [findingsOf(listed).length, countOf(report, verdict)];
      const accepted = listed.filter(isAccepted).length;
      const notes = [
        ...(places > findings ? [`at ${counted(places, "place")}`] : []),
        ...(accepted > 0 ? [`${accepted} accepted`] : []),
      ];
      return `${findings} ${verdict}${notes.length > 0 ? ` (${notes.join(", ")})` : ""}`;
    })
    .join(", ");
