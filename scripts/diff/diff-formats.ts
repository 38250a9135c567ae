import type { Paint } from "../../conformance/reports/paint.ts";
import { acceptanceEntries } from "./acceptance-entries.ts";
import type { DiffReport } from "./diff-report.ts";
import { githubReport } from "./github-report.ts";
import { htmlReport } from "./html-report.ts";
import { jsonReport } from "./json-report.ts";
import { junitReport } from "./junit-report.ts";
import { markdownReport } from "./markdown-report.ts";
import { sarifReport } from "./sarif-report.ts";
import { textReport } from "./text-report.ts";

export const diffFormats = ["text", "json", "markdown", "html", "github", "sarif", "junit", "acceptances"] as const;
export type DiffFormat = (typeof diffFormats)[number];

export function reportAs(format: DiffFormat, report: DiffReport, paint: Paint): string {
  switch (format) {
    case "text":
      return textReport(report, paint);
    case "json":
      return json(jsonReport(report));
    case "markdown":
      return markdownReport(report);
    case "html":
      return htmlReport(report);
    case "github":
      return githubReport(report);
    case "sarif":
      return json(sarifReport(report));
    case "junit":
      return junitReport(report);
    case "acceptances":
      return acceptanceEntries(report);
  }
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
