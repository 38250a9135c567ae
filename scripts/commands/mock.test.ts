import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { launcher, runBylaw } from "../run-bylaw.ts";

const folder = mkdtempSync(join(tmpdir(), "bylaw-mock-"));
const children: ChildProcess[] = [];

afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true });
});

describe("mock", () => {
  test("says once where it is, answers in the contract's shape, and ends on SIGINT", async () => {
    const child = spawn(process.execPath, [launcher, "mock", "--port", "0"], { cwd: folder });
    children.push(child);
    const written = { out: "", err: "" };
    child.stdout.on("data", (chunk) => {
      written.out += String(chunk);
    });
    child.stderr.on("data", (chunk) => {
      written.err += String(chunk);
    });
    await once(child.stdout, "data");
    const url = /^Mocking at (http:\/\/127\.0\.0\.1:\d+) /.exec(written.out)?.[1] ?? "";
    const answer = await fetch(`${url}/v1/api-keys/${crypto.randomUUID()}`, {
      headers: { authorization: "Bearer anything" },
    });
    expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ success: true })]);
    child.kill("SIGINT");
    const [code] = await once(child, "close");
    expect([code, written.err]).toEqual([0, ""]);
    expect(written.out.trimEnd().split("\n")).toHaveLength(1);
    await expect(fetch(url)).rejects.toThrow();
  });

  test("says so when the port is in use, or is none", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const address = other.address();
    const port = String(typeof address === "object" ? address?.port : 0);
    const inUse = runBylaw(folder, ["mock", "--port", port]);
    other.close();
    expect(inUse).toEqual({
      ...{ code: 2, stdout: "" },
      stderr: `error: --port ${port}: The port is in use.\n  Stop what uses it, or choose another one with --port.\n`,
    });
    expect(runBylaw(folder, ["mock", "--port", "80000"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("It must be a whole number from 0 to 65535."),
    });
  });

  test("says what to do where Prism is not installed", () => {
    const root = resolve(import.meta.dirname, "../..");
    const bare = join(folder, "bare");
    for (const part of ["scripts", "conformance", "generated", "package.json"]) {
      cpSync(join(root, part), join(bare, part), { recursive: true });
    }
    mkdirSync(join(bare, "node_modules"));
    for (const name of ["commander", "node"])
      symlinkSync(join(root, "node_modules", name), join(bare, "node_modules", name));
    const program = `
      import { Command } from ${JSON.stringify(import.meta.resolve("commander"))};
      import { addMock } from ${JSON.stringify(join(bare, "scripts/commands/mock.ts"))};
      const program = new Command("bylaw");
      addMock(program);
      await program.parseAsync(["node", "bylaw", "mock"]);
    `;
    const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
      encoding: "utf8",
    });
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringMatching(/^error: Prism, .* is not installed\.\n {2}Run "npm ci"/),
    });
  });
});
