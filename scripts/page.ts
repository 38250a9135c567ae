import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * `npm run page -- report/report.html …` opens reports in Chromium, wide and narrow, light and dark, and tells what
 * axe-core finds there, what overflows, what no keyboard reaches, and whether filters, links and copying work. Not among
 * the tests, as not every machine has a Chromium; CHROMIUM names one that is called otherwise.
 */
const program = process.env.CHROMIUM ?? "chromium";
const axe = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");
const trial = readFileSync(new URL("page/in-page.js", import.meta.url), "utf8");

const looks = [
  { name: "light, 1280 px", scheme: 1, width: 1280 },
  { name: "dark, 1280 px", scheme: 0, width: 1280 },
  { name: "light, 390 px", scheme: 1, width: 390 },
  { name: "dark, 390 px", scheme: 0, width: 390 },
] as const;

/** What is wrong with a report in one look. Throws where Chromium cannot be run. */
function problemsOf(file: string, { scheme, width }: (typeof looks)[number]): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), "bylaw-page-"));
  try {
    const page = readFileSync(file, "utf8");
    // A page lets in no script but its own: the trial runs in a copy that lets in any.
    const open = page.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, "");
    const tried = open.replace("</body>", () => `<script>${axe}</script>\n<script>${trial}</script>\n</body>`);
    writeFileSync(join(folder, "page.html"), tried);
    writeFileSync(join(folder, "frame.html"), frameOf(width));
    const { stdout, error } = spawnSync(
      program,
      [
        ...["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--virtual-time-budget=120000"],
        ...["--window-size=1400,1000", `--blink-settings=preferredColorScheme=${scheme}`],
        ...[`--user-data-dir=${join(folder, "profile")}`, "--dump-dom", `file://${join(folder, "frame.html")}`],
      ],
      { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 },
    );
    if (error !== undefined) throw new Error(`${program} cannot be run: ${error.message}. Name one with CHROMIUM.`);
    const [, json = ""] = /<pre id="told">([\s\S]*?)<\/pre>/.exec(stdout) ?? [];
    if (json === "") return ["Chromium gave no answer"];
    const text = json.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
    return JSON.parse(text) as readonly string[];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A window is never as narrow as a telephone; a frame in it is as narrow as it is told. */
const frameOf = (width: number): string => `<!doctype html>
<pre id="told"></pre>
<script>addEventListener("message", ({ data }) => { document.querySelector("#told").textContent = JSON.stringify(data); });</script>
<iframe src="page.html" style="border: 0; width: ${width}px; height: 900px"></iframe>
`;

const files = process.argv.slice(2);
if (files.length === 0) throw new Error("Name the reports: npm run page -- report/report.html");
for (const file of files) {
  for (const look of looks) {
    const problems = problemsOf(file, look);
    process.stdout.write(`${problems.length === 0 ? "✓" : "✗"} ${file}, ${look.name}\n`);
    for (const problem of problems) process.stdout.write(`    ${problem}\n`);
    if (problems.length > 0) process.exitCode = 1;
  }
}
