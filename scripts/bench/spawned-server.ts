import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

/** A server in a process of its own. */
export interface SpawnedServer {
  readonly url: string;
  /** What it printed before it told its address. */
  readonly lines: readonly string[];
  /** Milliseconds of processor time that its process has taken so far, its threads included; null where nobody tells. */
  processorMilliseconds(): number | null;
  close(): Promise<void>;
}

/** How long a server may take to serve, in milliseconds. */
const patience = 60_000;

/** Starts a program and waits for the line in which it tells its address. */
export async function spawnServer(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<SpawnedServer> {
  const child = start(args, environment, "pipe");
  const timer = setTimeout(() => child.kill("SIGKILL"), patience);
  const lines: string[] = [];
  try {
    for await (const line of createInterface({ input: child.stdout ?? process.stdin })) {
      const url = /https?:\/\/[\w.]+:\d+/.exec(line)?.[0];
      if (url !== undefined) return { url, lines, ...controlOf(child) };
      lines.push(line);
    }
  } finally {
    clearTimeout(timer);
    // Whatever it prints from now on is let through, or its pipe would fill.
    child.stdout?.resume();
  }
  await end(child);
  throw new Error(`${args[0]} ended before it served. It printed: ${lines.join("\n").slice(0, 2000)}`);
}

/** Starts a program that serves at a known address, and waits until it answers there. */
export async function spawnServerAt(url: string, args: readonly string[]): Promise<SpawnedServer> {
  const child = start(args, {}, "ignore");
  const deadline = performance.now() + patience;
  while (child.exitCode === null && performance.now() < deadline) {
    const answer = await fetch(url).catch(() => null);
    if (answer !== null) return { url, lines: [], ...controlOf(child) };
    await new Promise((again) => setTimeout(again, 50));
  }
  await end(child);
  throw new Error(`${args[0]} does not serve at ${url}.`);
}

/** What is not read goes nowhere, so that a server pays for writing its log but not for a reader. */
function start(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  stdout: "pipe" | "ignore",
): ChildProcess {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, NODE_ENV: "production", ...environment },
    stdio: ["ignore", stdout, "ignore"],
  });
  process.once("exit", () => child.kill());
  return child;
}

const controlOf = (child: ChildProcess) => ({
  processorMilliseconds: () => processorMilliseconds(child.pid),
  close: () => end(child),
});

/** Milliseconds in a tick of the kernel's clock for programs, which is the same on every Linux of our time. */
const tickMilliseconds = 10;

/** From Linux's table of processes. */
function processorMilliseconds(pid: number | undefined): number | null {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return null;
  // Behind the name, which may hold anything: the state is field 3, user and system time are fields 14 and 15.
  const [, fields = ""] = /\) (.*)$/s.exec(readFileSync(file, "utf8")) ?? [];
  const [user, system] = fields.split(" ").slice(11, 13).map(Number);
  return user === undefined || system === undefined ? null : (user + system) * tickMilliseconds;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}
