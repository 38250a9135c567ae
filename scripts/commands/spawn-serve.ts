import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { onTestFinished } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const program = `
  import { Command } from "commander";
  import { addServe } from "./scripts/commands/serve.ts";
  const program = new Command("bylaw");
  addServe(program);
  await program.parseAsync(["node", "bylaw", ...process.argv.slice(1)]);
`;

type Environment = Readonly<Record<string, string>>;

export interface SpawnedServe {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  /** What it has written so far. */
  readonly written: { readonly out: string; readonly err: string };
  /** Its exit code. */
  readonly exited: Promise<number>;
}

/** Starts `serve` as a process of its own, which ends with the test at the latest. */
export function spawnServe(flags: readonly string[], env: Environment = {}): SpawnedServe {
  const child = spawn(process.execPath, ["--input-type=module", "-e", program, "serve", ...flags], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const written = { out: "", err: "" };
  child.stdout.on("data", (chunk) => {
    written.out += String(chunk);
  });
  child.stderr.on("data", (chunk) => {
    written.err += String(chunk);
  });
  return { child, written, exited: once(child, "close").then(([code]) => Number(code)) };
}

/** Starts `serve` on a free port and waits until it says where it is. */
export async function serving(
  flags: readonly string[],
  env: Environment = {},
): Promise<SpawnedServe & { readonly url: string }> {
  const running = spawnServe(["--port", "0", ...flags], env);
  for (;;) {
    const url = /Serving at (\S+)/.exec(running.written.out)?.[1];
    if (url !== undefined) return { ...running, url };
    if (running.child.exitCode !== null) throw new Error(running.written.err);
    await new Promise((done) => setTimeout(done, 20));
  }
}
