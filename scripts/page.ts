import { existsSync, readFileSync } from "node:fs";
import { chromium, lookAtPages } from "./page/look-at-pages.ts";

const help = `Looks at pages of reports in a Chromium, wide and narrow, light and dark, and tells what is wrong with them.

  npm run page -- FILE…

  CHROMIUM    names the browser (default: chromium, chromium-browser or google-chrome of the path)

Example:
  npm run page -- report/report.html

Exit codes:
  0   nothing is wrong with them
  1   something is
  2   there is no such file, or no browser
`;

const files = process.argv.slice(2);
process.exitCode = files.includes("--help") ? tellHelp() : await look();

function tellHelp(): 0 {
  process.stdout.write(help);
  return 0;
}

async function look(): Promise<0 | 1 | 2> {
  const browser = chromium();
  const missing = files.find((file) => !existsSync(file));
  if (files.length === 0) return failed("name the reports that are to be looked at");
  if (missing !== undefined) return failed(`there is no file ${missing}`);
  if (browser === null) return failed("this machine has no Chromium; name one with CHROMIUM");
  const looked = await lookAtPages(
    browser,
    files.map((file) => readFileSync(file, "utf8")),
  );
  let isWrong = false;
  for (const [at, file] of files.entries())
    for (const { scheme, width, problems } of looked[at] ?? []) {
      process.stdout.write(`${problems.length === 0 ? "✓" : "✗"} ${file}, ${scheme}, ${width} px\n`);
      for (const problem of problems) process.stdout.write(`    ${problem}\n`);
      isWrong ||= problems.length > 0;
    }
  return isWrong ? 1 : 0;
}

function failed(why: string): 2 {
  process.stderr.write(`error: ${why}\n  npm run page -- --help tells more.\n`);
  return 2;
}
