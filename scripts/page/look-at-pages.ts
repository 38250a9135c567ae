import { spawn } from "node:child_process";
import { accessSync, constants, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

/** How a page is looked at; 1280 px are a screen's, 390 px a telephone's. */
export interface Look {
  readonly scheme: "light" | "dark";
  readonly width: 1280 | 390;
}

/** What is wrong with a page in one look; empty where nothing is. */
export interface Looked extends Look {
  readonly problems: readonly string[];
}

/** The Chromium of this machine, as CHROMIUM names it or by a usual name; null where there is none. */
export function chromium(): string | null {
  const { CHROMIUM, PATH = "" } = process.env;
  if (CHROMIUM !== undefined) return CHROMIUM;
  const places = ["chromium", "chromium-browser", "google-chrome"].flatMap((name) =>
    PATH.split(delimiter).map((folder) => join(folder, name)),
  );
  return places.find(isProgram) ?? null;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Opens pages of HTML in a Chromium, wide and narrow, light and dark, and tells of each what axe-core finds there, what
 * overflows, what no keyboard reaches, and whether filters, links and copying work. Throws where Chromium cannot be run or
 * does not answer.
 */
export async function lookAtPages(browser: string, pages: readonly string[]): Promise<readonly (readonly Looked[])[]> {
  const light = await lookIn(browser, pages, "light");
  const dark = await lookIn(browser, pages, "dark");
  return pages.map((_, at) => [...(light[at] ?? []), ...(dark[at] ?? [])]);
}

const axe = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");
const trial = readFileSync(new URL("in-page.js", import.meta.url), "utf8");

const widths = [1280, 390] as const;

/** One Chromium for all pages of a scheme: to start it takes longer than to look at one. */
async function lookIn(browser: string, pages: readonly string[], scheme: Look["scheme"]): Promise<readonly Looked[][]> {
  const folder = mkdtempSync(join(tmpdir(), "bylaw-page-"));
  try {
    for (const [at, page] of pages.entries()) writeFileSync(join(folder, `${at}.html`), tried(page));
    const frames = pages.flatMap((_, at) => widths.map((width) => ({ page: `${at}.html`, width })));
    writeFileSync(join(folder, "frames.html"), framesOf(frames));
    const stdout = await outputOf(browser, [
      ...["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--virtual-time-budget=120000"],
      ...["--window-size=1400,1000", `--blink-settings=preferredColorScheme=${scheme === "dark" ? 0 : 1}`],
      ...[`--user-data-dir=${join(folder, "profile")}`, "--dump-dom", `file://${join(folder, "frames.html")}`],
    ]);
    const [, json = ""] = /<pre id="told">([\s\S]*?)<\/pre>/.exec(stdout) ?? [];
    const told: unknown = json === "" ? [] : JSON.parse(unescaped(json));
    if (!Array.isArray(told) || told.length !== frames.length)
      throw new Error(`${browser} gave no answer for each page: ${stdout.slice(0, 400)}`);
    return pages.map((_, at) =>
      widths.map((width, index) => ({ scheme, width, problems: told[at * widths.length + index] })),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A page lets in no script but its own: the trial runs in a copy that lets in any. */
function tried(page: string): string {
  const open = page.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, "");
  return open.replace("</body>", () => `<script>${axe}</script>\n<script>${trial}</script>\n</body>`);
}

/** A window is never as narrow as a telephone; a frame in it is as narrow as it is told. One after the other has the focus. */
const framesOf = (frames: readonly { readonly page: string; readonly width: number }[]): string => `<!doctype html>
<pre id="told"></pre>
<iframe style="border: 0; height: 900px"></iframe>
<script>
const frames = ${JSON.stringify(frames)};
const told = [];
function next() {
  const frame = frames[told.length];
  if (frame === undefined) return void (document.querySelector("#told").textContent = JSON.stringify(told));
  const shown = document.querySelector("iframe");
  shown.style.width = frame.width + "px";
  shown.src = frame.page + "?" + told.length;
}
addEventListener("message", ({ data }) => { told.push(data); next(); });
next();
</script>
`;

const unescaped = (text: string): string =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&nbsp;", "\u00a0").replaceAll("&amp;", "&");

function outputOf(browser: string, args: readonly string[]): Promise<string> {
  const child = spawn(browser, args, { stdio: ["ignore", "pipe", "ignore"] });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve, reject) => {
    child.on("error", (error) =>
      reject(new Error(`${browser} cannot be run: ${error.message}. Name one with CHROMIUM.`)),
    );
    child.on("close", () => resolve(Buffer.concat(chunks).toString()));
  });
}
