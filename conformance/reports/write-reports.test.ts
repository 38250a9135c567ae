import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { cleanRun, madeUpRun } from "./made-up-run.ts";
import { prepareReportFolder, ReportsUnwritable, writeReports } from "./write-reports.ts";

let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "bylaw-report-"));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const problemOf = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

test("a new folder gets every report and nothing else", async () => {
  const paths = await writeReports(madeUpRun, join(folder, "deep/report"));
  const names = ["report.html", "results.json", "junit.xml", "summary.md"];
  expect(paths).toEqual(names.map((name) => join(folder, "deep/report", name)));
  expect((await readdir(join(folder, "deep/report"))).sort()).toEqual([...names].sort());
});

test("reports replace those of the run before and leave other files alone", async () => {
  await writeFile(join(folder, "mine.txt"), "mine");
  await writeReports(madeUpRun, folder);
  await writeReports(cleanRun, folder);
  expect(JSON.parse(await readFile(join(folder, "results.json"), "utf8")).counts.fail).toBe(0);
  expect(await readdir(folder)).toHaveLength(5);
});

test("a file in the folder's place is told before the run", async () => {
  const file = join(folder, "report");
  await writeFile(file, "");
  const problem = await problemOf(prepareReportFolder(file));
  expect(problem).toBeInstanceOf(ReportsUnwritable);
  expect(String(problem)).toContain(`cannot be written into ${file}: a file stands in its place.`);
});

test("a folder that cannot be made is told with a way out", async () => {
  await writeFile(join(folder, "file"), "");
  const problem = await problemOf(prepareReportFolder(join(folder, "file/report")));
  expect(problem).toBeInstanceOf(ReportsUnwritable);
  expect(problem).toHaveProperty("fix", expect.stringContaining("--report DIR"));
});

test("nothing half-written stays when a report cannot take its place", async () => {
  await mkdir(join(folder, "report.html"));
  await mkdir(join(folder, "report.html/inside"));
  expect(await problemOf(writeReports(madeUpRun, folder))).toBeInstanceOf(ReportsUnwritable);
  expect(await readdir(folder)).toEqual(["report.html"]);
});
