import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

export interface Ended {
  readonly code: number | null;
  /** Both streams, as they came. */
  readonly output: string;
}

/** A server in a process of its own. */
export interface Served {
  readonly url: string;
  /** Key of all scopes of its first organization. */
  readonly key: string;
  close(): Promise<void>;
}

type Secrets = Readonly<Record<`BYLAW_${string}`, string>>;

/** Runs the bylaw of one copy of the project to its end. */
export async function runBylaw(root: string, flags: readonly string[], secrets: Secrets = {}): Promise<Ended> {
  const child = start(root, flags, secrets);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += String(chunk)));
  const [code] = await once(child, "close");
  return { code: typeof code === "number" ? code : null, output };
}

/** Starts the server of one copy of the project, with an organization in it and its sandbox on. */
export async function serveBylaw(root: string, sandboxToken: string): Promise<Served> {
  const flags = ["serve", "--port", "0", "--log-level", "silent", "--seed-organization"];
  const child = start(root, flags, { BYLAW_SANDBOX_TOKEN: sandboxToken });
  let key = "";
  let output = "";
  child.stderr?.on("data", (chunk) => (output += String(chunk)));
  for await (const line of createInterface({ input: child.stdout ?? process.stdin })) {
    output += line;
    key ||= /"api_key":"([^"]+)"/.exec(line)?.[1] ?? "";
    const url = /^Serving at (\S+)/.exec(line)?.[1];
    if (url !== undefined) return { url, key, close: () => end(child) };
  }
  throw new Error(`The server did not start: ${output}`);
}

function start(root: string, flags: readonly string[], secrets: Secrets): ChildProcess {
  // Where compiled modules are kept the copy says itself, by a name from which they lie as in the project.
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith("BYLAW_") && name !== "NODE_COMPILE_CACHE",
  );
  return spawn(process.execPath, [join(root, "scripts/bylaw.js"), ...flags], {
    cwd: root,
    env: { ...Object.fromEntries(inherited), ...secrets, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}
