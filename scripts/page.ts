import { readFileSync } from "node:fs";
import { chromium, lookAtPages } from "./page/look-at-pages.ts";

// `npm run page -- report/report.html …` looks at reports in a Chromium and tells what is wrong with them.
const browser = chromium();
const files = process.argv.slice(2);
if (browser === null) throw new Error("This machine has no Chromium. Name one with CHROMIUM.");
if (files.length === 0) throw new Error("Name the reports: npm run page -- report/report.html");
const looked = await lookAtPages(
  browser,
  files.map((file) => readFileSync(file, "utf8")),
);
for (const [at, file] of files.entries()) {
  for (const { scheme, width, problems } of looked[at] ?? []) {
    process.stdout.write(`${problems.length === 0 ? "✓" : "✗"} ${file}, ${scheme}, ${width} px\n`);
    for (const problem of problems) process.stdout.write(`    ${problem}\n`);
    if (problems.length > 0) process.exitCode = 1;
  }
}
