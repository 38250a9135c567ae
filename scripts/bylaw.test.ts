import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { callBylaw } from "./call-bylaw.ts";
import { launcher, runBylaw } from "./run-bylaw.ts";

const folder = mkdtempSync(join(tmpdir(), "bylaw-empty-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("the command line", () => {
  it("lists its commands and exit codes, and loads none of them for that, to be quick", () => {
    const coverage = mkdtempSync(join(tmpdir(), "bylaw-coverage-"));
    const { code, stdout } = runBylaw(folder, ["--help"], { NODE_V8_COVERAGE: coverage });
    const loaded = readdirSync(coverage).map((name) => readFileSync(join(coverage, name), "utf8"));
    rmSync(coverage, { recursive: true });
    expect(code).toBe(0);
    expect(stdout).toMatch(/compile[^\n]*\n[\s\S]+serve[\s\S]+Exit codes:/);
    expect(loaded.join()).toContain("/scripts/bylaw.ts");
    expect(loaded.join()).not.toContain("/scripts/commands/");
  });

  it.each(["compile", "lint", "lock", "rules", "explain", "compare", "baseline"])(
    "explains %s with examples and exit codes",
    async (command) => {
      const { code, stdout } = await callBylaw(folder, [command, "--help"]);
      expect(code).toBe(0);
      expect(stdout).toContain(`Usage: bylaw ${command}`);
      expect(stdout).toContain(`npx bylaw ${command}`);
      expect(stdout).toContain("Exit codes:");
      expect((await callBylaw(folder, ["help", command])).stdout).toBe(stdout);
    },
  );

  it("ends as a process as it does within another one", async () => {
    for (const args of [["lint", "--help"], ["compil"], ["lint"]])
      expect(runBylaw(folder, args)).toEqual(await callBylaw(folder, args));
  });

  it.each([
    [["compil"], "Did you mean compile?"],
    [["compile", "--chek"], "Did you mean --check?"],
    [["compile", "--check", "--watch"], "cannot be used with option"],
    [["compile", "surplus"], "too many arguments"],
    [["lint", "--format", "yaml"], "Allowed choices are text, json"],
    [["explain"], "missing required argument"],
    [["lint"], "There is no spec/main.tsp here or in a folder above."],
    [["compile", "--spec", "gone.tsp"], "--spec gone.tsp: There is no file gone.tsp."],
  ] as const)("ends %j with code 2 and one clear message", async (args, message) => {
    const { code, stdout, stderr } = await callBylaw(folder, args);
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});

/** Makes a Node.js pass for an older one. */
const older =
  'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.11.1"}})';

const runOlder = (script: string, args: readonly string[]) =>
  spawnSync(process.execPath, ["--import", older, script, ...args], { cwd: folder, encoding: "utf8" });

describe("the launcher on an older Node.js", () => {
  it("hands arguments, output and exit code to the Node.js of the project", () => {
    const good = runOlder(launcher, ["--version"]);
    expect([good.status, good.stdout]).toEqual([0, runBylaw(folder, ["--version"]).stdout]);
    const bad = runOlder(launcher, ["compil"]);
    expect(bad.status).toBe(2);
    expect(bad.stderr).toContain("Did you mean compile?");
  });

  /** Starts the launcher; what it started holds its streams open for as long as it lives, and keeps it from closing. */
  const launch = (args: readonly string[]) =>
    spawn(process.execPath, ["--import", older, launcher, ...args], {
      cwd: folder,
      env: { ...process.env, BYLAW_SANDBOX_TOKEN: "", BYLAW_API_KEY: "svc_live_any" },
      stdio: ["ignore", "pipe", "pipe"],
    });

  it("leaves no server behind when it is killed", async () => {
    const child = launch(["serve", "--port", "0"]);
    child.stdout.on("data", (chunk) => {
      if (String(chunk).includes("Serving at")) child.kill("SIGKILL");
    });
    await once(child, "close");
    expect(child.signalCode).toBe("SIGKILL");
  });

  it("leaves no run behind when it is killed", async () => {
    const hanging = createServer(() => child.kill("SIGKILL")).listen(0, "127.0.0.1");
    await once(hanging, "listening");
    const address = hanging.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
    const child = launch(["verify", "--url", url, "--request-timeout", "10m"]);
    await once(child, "close");
    expect(child.signalCode).toBe("SIGKILL");
    hanging.close();
  });

  it("says what to do when the project has none", () => {
    cpSync(launcher, join(folder, "scripts/bylaw.js"));
    const { status, stderr } = runOlder(join(folder, "scripts/bylaw.js"), ["--version"]);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^error: bylaw needs Node\.js 24 or newer; this is 20\.11\.1\.\n {2}Run "npm ci"/);
  });
});
