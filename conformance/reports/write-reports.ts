import { randomBytes } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RunResult } from "../runner/run-result.ts";
import { htmlReport } from "./html.ts";
import { junitXml } from "./junit.ts";
import { markdownSummary } from "./markdown.ts";
import { resultsJson } from "./results-json.ts";

/** The reports cannot be written; message and way out are for the user. */
export class ReportsUnwritable extends Error {
  readonly fix: string;

  constructor(message: string, fix: string) {
    super(message);
    this.name = "ReportsUnwritable";
    this.fix = fix;
  }
}

/** Makes sure that reports can be written into the folder before time is spent on a run. */
export async function prepareReportFolder(folder: string): Promise<void> {
  await unlessUnwritable(folder, async () => {
    await mkdir(folder, { recursive: true });
    const trial = join(folder, temporary("trial"));
    await writeFile(trial, "");
    await rm(trial);
  });
}

/** Writes every report, whole or not at all, and tells their paths, the most readable first. */
export async function writeReports(result: RunResult, folder: string): Promise<readonly string[]> {
  const reports = [
    { name: "report.html", text: htmlReport(result) },
    { name: "results.json", text: resultsJson(result) },
    { name: "junit.xml", text: junitXml(result) },
    { name: "summary.md", text: markdownSummary(result) },
  ].map(({ name, text }) => ({ text, path: join(folder, name), written: join(folder, temporary(name)) }));
  await unlessUnwritable(folder, async () => {
    try {
      await mkdir(folder, { recursive: true });
      for (const { written, text } of reports) await writeFile(written, text);
      for (const { written, path } of reports) await rename(written, path);
    } finally {
      for (const { written } of reports) await rm(written, { force: true }).catch(() => undefined);
    }
  });
  return reports.map(({ path }) => path);
}

const temporary = (name: string): string => `.${name}.${randomBytes(6).toString("hex")}.tmp`;

async function unlessUnwritable(folder: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new ReportsUnwritable(
      `The reports cannot be written into ${folder}: ${reasonOf(error)}.`,
      "Give the kit a folder that it may write into: --report DIR.",
    );
  }
}

function reasonOf(error: Error): string {
  switch ("code" in error ? error.code : undefined) {
    case "EACCES":
    case "EPERM":
      return "permission denied";
    case "EROFS":
      return "the file system is read-only";
    case "ENOSPC":
      return "the disk is full";
    case "EEXIST":
    case "ENOTDIR":
      return "a file stands in its place";
    case "EISDIR":
      return "a folder stands where a report should";
    default:
      return error.message;
  }
}
