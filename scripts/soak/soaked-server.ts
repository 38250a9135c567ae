import { spawn } from "node:child_process";
import { join } from "node:path";
import type { SoakOrder } from "./serve-soaked.ts";

/** A server in a process of its own, which is there to be killed. */
export interface SoakedServer {
  /** Its address, once it serves. Null when it was killed before; rejects when it ended by itself or never served. */
  readonly serving: Promise<string | null>;
  /** What went wrong when it has ended without being killed; null otherwise. */
  fault(): string | null;
  /** Sends SIGKILL at once, and resolves when the process is gone. */
  kill(): Promise<void>;
}

/** A server that does not come back, or that ended without being killed: whatever it was to keep is out of reach. */
export class ServerFault extends Error {}

/** Milliseconds that a server may take until it serves, on a machine that does much else. */
const patience = 60_000;

/** Characters of its output that are kept. */
const kept = 2_000;

/** Starts a server, or begins to: it can be killed at once. */
export function startSoakedServer(order: SoakOrder): SoakedServer {
  const child = spawn(process.execPath, [join(import.meta.dirname, "serve-soaked.ts")], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: "0" },
  });
  let said = "";
  let isKilled = false;
  let isOver = false;
  const { promise: serving, resolve: serves, reject } = Promise.withResolvers<string | null>();
  const read = (chunk: Buffer): void => {
    said = (said + chunk.toString()).slice(-kept);
    const [, url] = /Serving at (\S+)/.exec(said) ?? [];
    if (url !== undefined) serves(url);
  };
  child.stdout.on("data", read);
  child.stderr.on("data", read);
  child.stdin.on("error", () => undefined);
  child.stdin.write(`${JSON.stringify(order)}\n`);
  const fault = (): string | null =>
    isOver && !isKilled ? `a server ended by itself (${child.exitCode ?? child.signalCode}): ${said.trim()}` : null;
  const late = setTimeout(() => reject(new ServerFault(`a server does not serve: ${said.trim()}`)), patience);
  const ended = new Promise<void>((gone) =>
    child.once("close", () => {
      isOver = true;
      const problem = fault();
      if (problem === null) serves(null);
      else reject(new ServerFault(problem));
      gone();
    }),
  );
  // Whoever waits for it hears of it; nobody has to.
  serving.catch(() => undefined).finally(() => clearTimeout(late));
  return {
    serving,
    fault,
    kill() {
      isKilled = !isOver;
      child.kill("SIGKILL");
      return ended;
    },
  };
}
